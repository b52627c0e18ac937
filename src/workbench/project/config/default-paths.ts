import { join } from 'node:path'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { SKILL_FOLDERS } from '../walk/link-reach.ts'
import { userHome } from '../walk/user-home.ts'

/** The folders below which skills are searched: a project's, and the user's home. */
export interface DefaultPathsOptions {
  readonly project?: string
  readonly home?: string
}

const OPTIONS: OptionsOf<DefaultPathsOptions> = { project: 'text', home: 'text' }

/** The name of the lock of a project, in its folder. */
export const LOCK_FILE = 'loadout.lock'

/**
 * Returns the folders that are searched for skills when none is given, by precedence: those of the
 * project before those of the home, `.agents` first. The `skills` folder of a project comes after
 * its dotted ones. The folders may not exist.
 */
export function defaultPaths(options: DefaultPathsOptions): readonly string[] {
  checkOptions(options, OPTIONS)
  const { project, home } = options
  return [
    ...(project === undefined
      ? []
      : [...SKILL_FOLDERS, 'skills'].map((path) => join(project, path))),
    ...(home === undefined ? [] : SKILL_FOLDERS.map((path) => join(home, path))),
  ]
}

/**
 * Returns the folders that are read when no path is given, by precedence: those of the project,
 * then the folders of skills of its parents, then those of the home (the user's by default, none when null). `carnet`
 * are the project's folders that are Carnet projects, and `parents` those up to the root of its repository, nearest
 * first. The other folders may not exist.
 */
export function defaultProjectPaths(
  project: string,
  home: string | null | undefined,
  carnet: readonly string[] = [],
  parents: readonly string[] = [],
): readonly string[] {
  const own = defaultPaths({ project })
  const ofUser = home === undefined ? userHome() : home
  return [
    ...own.slice(0, -1),
    ...carnet,
    ...own.slice(-1),
    ...['tools', 'toolsets', 'agents', 'rules'].map((name) => join(project, name)),
    ...parents.flatMap((parent) => defaultPaths({ project: parent })),
    ...(ofUser === null ? [] : defaultPaths({ home: ofUser })),
  ]
}
