import { basename, dirname, relative, sep } from 'node:path'
import type { CarnetConfig } from '../../adapters/carnet/format/read-carnet-config.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'

/** What holds for everything below one given path. */
export interface RootContext {
  /** Real path of the given folder. */
  readonly root: string
  readonly options: ResolvedOptions
  /** The configuration of a Carnet project; null for any other folder. */
  readonly carnet: CarnetConfig | null
  /** Whether a definition's file is to be read, by its path: a Carnet project may leave some out. */
  keeps(path: string): boolean
  /** Whether a file or folder of a skill is left out, by its path. */
  excludes(path: string): boolean
}

/**
 * True for a folder that lies in one of this name, which is the given one, in it, or above it:
 * agents, tools and rules are looked for there only, since elsewhere such names mean other things.
 */
export function liesIn(name: string, folder: string, root: string): boolean {
  const above = relative(root, dirname(folder)).split(sep)
  if (folder === root) return basename(dirname(root)) === name
  return basename(root) === name || above.includes(name) || basename(dirname(root)) === name
}
