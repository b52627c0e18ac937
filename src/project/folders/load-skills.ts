import { type Found, joinFound } from './found.ts'
import { givenRoot } from './given-root.ts'
import { loadRoot } from './load-root.ts'
import type { CarnetFolder, Loaded } from './loaded.ts'
import { type LoadOptions, resolveOptions } from '../walk/load-options.ts'

/**
 * Read every skill, toolset, shared tool, agent and rule below the given paths. Runs no code.
 *
 * A path is a skill's folder, its `SKILL.md`, any folder above, or a Carnet manifest. Skills are
 * folders with a `SKILL.md`; toolsets have a `TOOLSET.md`; agents an `AGENT.md` in `agents`; shared
 * tools are `tools/<name>/` and rules `rules/<topic>.md` of a given path. A folder with a
 * `carnet.config.json` is read as Carnet reads it. The order is that of the given paths, then by
 * path, whatever the disk says. What is wrong with one file is a diagnostic and stops no other.
 * Throws `PATH_NOT_FOUND` for a given path that is not there.
 */
export async function loadSkills(
  paths: string | readonly string[],
  options: LoadOptions = {},
): Promise<Loaded> {
  const resolved = resolveOptions(options)
  const given = []
  for (const path of typeof paths === 'string' ? [paths] : paths) given.push(await givenRoot(path))
  const roots = new Map(given.map((root) => [root.manifest ?? root.folder, root]))
  const seen = new Set<string>()
  const parts: Found[] = []
  const carnet: CarnetFolder[] = []
  let folders = 0
  for (const root of roots.values()) {
    const part = await loadRoot(root, seen, resolved)
    parts.push(part.found)
    folders += part.folders
    if (part.carnet !== null) carnet.push({ folder: root.folder, config: part.carnet })
  }
  const { shared, handlers, tools, files, ...found } = joinFound(parts)
  return {
    ...found,
    tools: [...shared.map(({ tool }) => tool), ...tools],
    handlers: [...shared, ...handlers],
    carnet,
    scanned: { folders, files },
  }
}
