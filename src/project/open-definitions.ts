import { resolve } from 'node:path'
import { builtManifestAt, manifestProject } from './manifest-project.ts'
import { openProject, type Project, type ProjectOptions } from './folders/open-project.ts'

/**
 * Whatever a session can be opened on: what `openProject` reads, or the one manifest of
 * `loadout build` that is given instead. Throws what either of them throws.
 */
export async function openDefinitions(
  paths: readonly string[] = [],
  options: ProjectOptions = {},
): Promise<Project> {
  const manifest = await builtManifestAt(paths.map((path) => resolve(path)))
  return manifest === null ? openProject(paths, options) : manifestProject(manifest, options)
}
