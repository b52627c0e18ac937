import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { CARNET_MANIFEST } from '../adapters/carnet/format/carnet-files.ts'
import { NO_CONFIG } from './config/define-config.ts'
import { openProject, type Project, type ProjectOptions } from './folders/open-project.ts'
import { openManifest } from './manifest/open-manifest.ts'

/**
 * Whatever a session can be opened on: what `openProject` reads, or the one manifest of
 * `loadout build` that is given instead. Throws what either of them throws.
 */
export async function openDefinitions(
  paths: readonly string[] = [],
  options: ProjectOptions = {},
): Promise<Project> {
  const manifest = await singleManifestPath(paths.map((path) => resolve(path)))
  return manifest === null ? openProject(paths, options) : projectFromManifest(manifest, options)
}

/** The path, where it is the only one and a file that can only be a manifest of `loadout build`. */
async function singleManifestPath(paths: readonly string[]): Promise<string | null> {
  const [path, ...others] = paths
  if (path === undefined || others.length > 0) return null
  if (!path.endsWith('.json') || basename(path) === CARNET_MANIFEST) return null
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() ? path : null
}

/**
 * The project that a built manifest stands for. The folder it lies in is taken for the one that was
 * built: files are read from it by their digests, and handlers when it is trusted. A manifest holds no
 * configuration, so nothing is denied or put into texts by one. Throws what `openManifest` throws.
 */
async function projectFromManifest(
  file: string,
  { trusted, trustStore, counter: own }: Pick<ProjectOptions, 'trusted' | 'trustStore' | 'counter'>,
): Promise<Project> {
  const folder = dirname(file)
  const { catalog, counter, diagnostics } = await openManifest(file, {
    folder,
    ...(trusted !== undefined && { trusted }),
    ...(trustStore !== undefined && { trustStore }),
    ...(own !== undefined && { counter: own }),
  })
  return {
    catalog,
    counter,
    diagnostics,
    config: NO_CONFIG,
    handlers: [],
    items: [],
    carnet: [],
    roots: [folder],
    scanned: { folders: 0, files: 1 },
  }
}
