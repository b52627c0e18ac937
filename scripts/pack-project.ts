import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectFiles } from './project-files.ts'
import { PROJECT, runCommand } from './run-command.ts'

/** A packed package. */
export interface Packed {
  readonly tarball: string
  /** Paths inside the package, such as `dist/cli/main.js`. */
  readonly files: readonly string[]
}

/**
 * Build and pack a copy of the project, as publishing it would.
 *
 * A copy, so that an old `dist` cannot hide a missing file and nobody's running
 * program loses the one it uses.
 *
 * @param folder an empty folder; the copy and the tarball are left in it
 */
export function packProject(folder: string): Packed {
  const copy = join(folder, 'copy')
  for (const path of projectFiles(PROJECT)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(PROJECT, path), join(copy, path))
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const { passed, stdout, output } = runCommand(
    'npm',
    ['pack', '--silent', '--json', '--pack-destination', folder],
    {
      cwd: copy,
    },
  )
  if (!passed) throw new Error(`npm pack failed:\n${output}`)
  const [{ filename, files }] = JSON.parse(stdout)
  return {
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
  }
}
