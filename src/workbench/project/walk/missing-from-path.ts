import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { mapBounded } from './map-bounded.ts'

/** Returns the programs that no folder of the PATH of this process has. Nothing is run. */
export async function missingFromPath(programs: readonly string[]): Promise<readonly string[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((one) => one !== '')
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : ['']
  const found = await mapBounded(programs, 4, async (program) => {
    // A path is no name of a program.
    if (/[\\/]/u.test(program)) return false
    for (const folder of folders) {
      for (const ending of endings) {
        if (await isProgram(join(folder, program + ending))) return true
      }
    }
    return false
  })
  return programs.filter((_, place) => found[place] !== true)
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
