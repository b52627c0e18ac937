import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { CARNET_MANIFEST } from '../../adapters/carnet/format/carnet-names.ts'

/** A given path: the folder it means, or the Carnet manifest it is. */
export interface GivenRoot {
  /** Its real path. */
  readonly folder: string
  /** Real path of the manifest that is read instead of the folder; null for a folder. */
  readonly manifest: string | null
}

/** Files that stand for the folder they are in. */
const DEFINITIONS = /^(?:skill|agent|toolset|tool)\.md$/i

const HINT =
  'Give a folder that holds skills, a skill folder, its SKILL.md, or a Carnet manifest. A manifest ' +
  'of "loadout build" is given alone, to open a session on.'

/** What a given path means. Throws `PATH_NOT_FOUND` or `PATH_NOT_A_FOLDER`. */
export async function givenRoot(path: string): Promise<GivenRoot> {
  const full = resolve(path)
  const facts = { path, resolved: full }
  try {
    const stats = await stat(full)
    const name = basename(full)
    if (stats.isDirectory()) return { folder: await realpath(full), manifest: null }
    const folder = await realpath(dirname(full))
    if (DEFINITIONS.test(name)) return { folder, manifest: null }
    if (name === CARNET_MANIFEST) return { folder, manifest: join(folder, name) }
  } catch (error) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is nothing to read at "${path}".`, {
      facts,
      hint: HINT,
      cause: error,
    })
  }
  throw new WorkspaceError('PATH_NOT_A_FOLDER', `"${path}" is not a folder with skills.`, {
    facts,
    hint: HINT,
  })
}
