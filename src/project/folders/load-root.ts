import { readdir } from 'node:fs/promises'
import {
  type CarnetConfig,
  NO_CARNET_CONFIG,
} from '../../adapters/carnet/format/read-carnet-config.ts'
import { CARNET_FOLDERS } from '../../adapters/carnet/format/carnet-names.ts'
import { carnetExcluded } from '../../adapters/carnet/format/carnet-excluded.ts'
import { type Found, joinFound, NOTHING_FOUND } from './found.ts'
import type { GivenRoot } from './given-root.ts'
import { loadCarnetManifest } from './load-carnet-manifest.ts'
import { loadFolder } from './load-folder.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { carnetFilter, openCarnetFolder } from './open-carnet-folder.ts'
import type { RootContext } from './root-context.ts'
import { skillFileName } from './skill-file-name.ts'
import { walkFolders } from '../walk/walk-folders.ts'

interface LoadedRoot {
  readonly found: Found
  readonly folders: number
  readonly carnet: CarnetConfig | null
}

/** Read what one given path means; folders in `seen` were read for an earlier one. */
export async function loadRoot(
  { folder: root, manifest: given }: GivenRoot,
  seen: Set<string>,
  options: ResolvedOptions,
): Promise<LoadedRoot> {
  const entries = await readdir(root, { withFileTypes: true })
  const { carnet, manifest, diagnostics } = await openCarnetFolder(root, entries, options)
  const found: Found[] = [{ ...NOTHING_FOUND, diagnostics }]
  const file = given ?? manifest
  if (file !== null) {
    found.push(await loadCarnetManifest(file, root, options))
    return { found: joinFound(found), folders: 1, carnet }
  }
  const left: string[] = []
  const filter = carnetFilter(root, carnet ?? NO_CARNET_CONFIG)
  const context: RootContext = {
    root,
    options,
    carnet,
    keeps(path) {
      const kept = filter.includes(path) && !filter.excludes(path)
      if (!kept) left.push(path)
      return kept
    },
    excludes(path) {
      const excluded = filter.excludes(path)
      if (excluded) left.push(path)
      return excluded
    },
  }
  const walk = await walkFolders(root, options, (folder) => {
    if (skillFileName(folder) !== undefined) return false
    return carnet === null || folder.depth > 0 || CARNET_FOLDERS
  })
  found.push({ ...NOTHING_FOUND, diagnostics: walk.diagnostics })
  const fresh = walk.folders.filter(({ real }) => !seen.has(real))
  for (const { real } of fresh) seen.add(real)
  let done = 0
  const loaded = await mapBounded(fresh, FILES_AT_ONCE, async (folder) => {
    const part = await loadFolder(folder, context)
    done += 1
    options.onFolder?.(done, fresh.length)
    return part
  })
  found.push(...loaded, { ...NOTHING_FOUND, diagnostics: carnetExcluded(root, left) })
  return { found: joinFound(found), folders: walk.folders.length, carnet }
}
