import { basename, dirname, relative, sep } from 'node:path'
import { CARNET_CONFIG, CARNET_MANIFEST } from '../adapters/carnet/format/carnet-names.ts'
import { isInside } from './walk/is-inside.ts'
import { SKIPPED_FOLDERS } from './walk/load-options.ts'

/** What a project is read from, whether it is there already or not. */
export interface WatchedPlaces {
  /** Folders whose whole content counts. */
  readonly folders: readonly string[]
  /** Folders of which only a configuration counts. */
  readonly configFolders: readonly string[]
  /** Levels below a folder that are looked at. */
  readonly maxDepth: number
}

/**
 * Whether a path may matter: it lies in a folder that is read, is a configuration, or leads to one
 * of them. What leads there is looked at so that a folder that appears later is noticed.
 */
export function isWatched(
  path: string,
  { folders, configFolders, maxDepth }: WatchedPlaces,
): boolean {
  if ([...folders, ...configFolders].some((place) => isInside(path, place))) return true
  if (configFolders.includes(dirname(path)) && isConfig(basename(path))) return true
  return folders.some((folder) => {
    if (!isInside(folder, path)) return false
    const parts = relative(folder, path).split(sep)
    return parts.length <= maxDepth + 1 && !parts.some((part) => SKIPPED_FOLDERS.has(part))
  })
}

function isConfig(name: string): boolean {
  return name.startsWith('loadout.config.') || name === CARNET_CONFIG || name === CARNET_MANIFEST
}

/** The outermost of the folders above the places: watching these, filtered, watches all of them. */
export function watchRoots({ folders, configFolders }: WatchedPlaces): readonly string[] {
  const above = [...new Set([...folders.map((path) => dirname(path)), ...configFolders])]
  return above.filter((one) => !above.some((other) => other !== one && isInside(other, one)))
}
