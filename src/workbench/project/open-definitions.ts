import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { CARNET_MANIFEST } from '../../connections/carnet/format/carnet-files.ts'
import { NO_CONFIG } from './config/define-config.ts'
import {
  loadProject,
  type Project,
  type ProjectOptions,
  withSwitchedOff,
} from './folders/open-project.ts'
import { openManifest } from './manifest/open-manifest.ts'
import type { FolderProgress } from './walk/load-options.ts'

/**
 * Opens what a session can be opened on: the definitions that `openProject` reads, or a single
 * manifest of `loadout build`. Throws the errors of either.
 */
export async function openDefinitions(
  paths: readonly string[] = [],
  options: ProjectOptions = {},
  onFolder?: FolderProgress,
): Promise<Project> {
  const manifest = await singleManifestPath(paths.map((path) => resolve(path)))
  const project =
    manifest === null
      ? await loadProject(paths, options, onFolder)
      : await projectFromManifest(manifest, options)
  return withSwitchedOff(project, options)
}

/**
 * Returns the path if it is the only one and a file that can only be a manifest of `loadout build`.
 */
async function singleManifestPath(paths: readonly string[]): Promise<string | null> {
  const [path, ...others] = paths
  if (path === undefined || others.length > 0) return null
  if (!path.endsWith('.json') || basename(path) === CARNET_MANIFEST) return null
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() ? path : null
}

/**
 * Returns the project of a built manifest. Its folder counts as the folder that was built: files
 * are read from it and checked by their digests, and handlers are bound if it is trusted. A
 * manifest has no configuration, so it sets no permissions and no variables. Throws the errors of
 * `openManifest`.
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
    serverFiles: [],
    plugins: [],
    items: [],
    carnet: [],
    roots: [folder],
    searched: [folder],
    scanned: { folders: 0, files: 1 },
  }
}
