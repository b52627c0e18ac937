import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions } from '../../../entries/kit.ts'
import {
  CARNET_SOURCE_FOLDERS,
  CARNET_MANIFEST,
  carnetExcluded,
  carnetPlaces,
} from '../../../connections/carnet/format/carnet-files.ts'
import { NO_CARNET_CONFIG } from '../../../connections/carnet/format/read-carnet-config.ts'
import { defaultPaths, defaultProjectPaths } from '../config/default-paths.ts'
import type { CarnetFolder } from '../config/load-config.ts'
import { loadFolder } from './load-folder.ts'
import { skillFileName } from './load-skill-folder.ts'
import { type Found, joinFound, type Loaded, NOTHING_FOUND, type RootContext } from './loaded.ts'
import { carnetFilter, loadCarnetManifest, openCarnetFolder } from './open-carnet-folder.ts'
import { nameByPlugin } from './read-plugins.ts'
import { givenPaths } from '../walk/given-paths.ts'
import { findRepository, linkReach } from '../walk/link-reach.ts'
import {
  type FolderProgress,
  LOAD_OPTIONS,
  type LoadOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { faultDiagnostic, linkOutside } from '../walk/read-inside.ts'
import { userHome } from '../walk/user-home.ts'
import { type Folder, walkFolders } from '../walk/walk-folders.ts'

/**
 * Reads every skill, toolset, shared tool, agent and rule below the given paths, or below the existing default paths of
 * the current folder and the user's home when none is given. Runs no code. `createCatalog` takes the result.
 *
 * A path is a skill's folder, its `SKILL.md`, any parent folder, or a Carnet manifest. Skills are folders with a
 * `SKILL.md`, toolsets have a `TOOLSET.md`, agents have an `AGENT.md` in `agents`; shared tools are `tools/<name>/` or
 * `tools/<name>.ts`, and rules are `rules/<topic>.md` of a given path. A folder with a `carnet.config.json` is read as
 * Carnet reads it.
 *
 * Of two skills with one name, the second is named after its plugin, if it is of one.
 *
 * The order is that of the given paths, then by path, the same on every machine. A fault of one
 * file is a diagnostic and does not affect the others. Throws `PATH_NOT_FOUND` for a given path
 * that does not exist.
 */
export async function loadSkills(
  paths?: string | readonly string[],
  options: LoadOptions = {},
): Promise<Loaded> {
  checkOptions(options, LOAD_OPTIONS)
  if (paths !== undefined) return loadRoots(givenPaths(paths), options)
  const project = process.cwd()
  const { roots, diagnostics } = await findDefaultFolders({ ...options, project })
  const found = await loadRoots(roots, { ...options, within: project })
  return { ...found, diagnostics: [...diagnostics, ...found.diagnostics] }
}

/** The folders that are read when no path is given. */
interface DefaultFolders {
  /** All of them, by precedence; some do not exist. */
  readonly searched: readonly string[]
  /** Those that are read. */
  readonly roots: readonly string[]
  /** Names those that lead out of the project. A path that is given may: it is the person's own. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the folders that are read when no path is given. A folder of the project is left out where no link may lead. */
export async function findDefaultFolders({
  project,
  home,
  parents = true,
  followLinksOut,
}: {
  readonly project: string
  readonly home?: string | null
  readonly parents?: boolean
  readonly followLinksOut?: boolean
}): Promise<DefaultFolders> {
  const ofUser = home ?? userHome()
  const real = await realpath(project).catch(() => project)
  const { folders } = await findRepository(real, ofUser)
  const above = parents ? folders.slice(1) : []
  const searched = defaultProjectPaths(project, home, await carnetPlaces(project), above)
  const existing = await existingFolders(searched)
  if (followLinksOut === true) return { searched, roots: existing, diagnostics: [] }
  const reaches = await linkReach(project, real, { home: ofUser, project: real })
  const own = new Set(ofUser === null ? [] : defaultPaths({ home: ofUser }))
  const diagnostics: Diagnostic[] = []
  const roots = await mapBounded(existing, FILES_AT_ONCE, async (path) => {
    const target = await realpath(path).catch(() => path)
    if (own.has(path) || reaches(target)) return [path]
    diagnostics.push(faultDiagnostic(linkOutside('the project', target), 'warning', path))
    return []
  })
  return { searched, roots: roots.flat(), diagnostics }
}

export async function existingFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => null)
      return stats?.isDirectory() ? [path] : []
    }),
  )
  return found.flat()
}

/** Reads what `loadSkills` reads. Nothing that is given is checked. */
export async function loadRoots(
  paths: readonly string[],
  options: LoadOptions & {
    readonly home?: string | null
    /** The project whose default folders are read; absent when paths are given. */
    readonly within?: string
  },
  onFolder?: FolderProgress,
): Promise<Loaded> {
  const resolved = resolveOptions(options)
  const home = options.home ?? userHome()
  const project =
    options.within === undefined ? null : await realpath(options.within).catch(() => null)
  const given = []
  for (const path of paths) {
    const root = await resolveRoot(path)
    given.push({ ...root, reaches: await linkReach(path, root.folder, { home, project }) })
  }
  const roots = new Map(given.map((root) => [root.manifest ?? root.folder, root]))
  const seen = new Set<string>()
  const parts: Found[] = []
  const carnet: CarnetFolder[] = []
  let folders = 0
  for (const root of roots.values()) {
    const part = await loadRoot(root, seen, resolved, onFolder)
    parts.push(part.found)
    folders += part.folders
    if (part.carnet !== null) carnet.push({ folder: root.folder, config: part.carnet })
  }
  const { shared, handlers, tools, files, ...found } = joinFound(parts)
  const skills = await nameByPlugin(
    found.skills,
    [...roots.values()].map(({ folder }) => folder),
  )
  const names = new Map(skills.map(({ name, path }) => [path, name]))
  return {
    ...found,
    skills,
    items: found.items.map((item) =>
      item.kind === 'skill' && item.name !== null
        ? { ...item, name: names.get(item.path) ?? item.name }
        : item,
    ),
    tools: [...shared.map(({ tool }) => tool), ...tools],
    handlers: [...shared, ...handlers],
    carnet,
    scanned: { folders, files },
  }
}

/** A given path: a folder, or a Carnet manifest. */
interface ResolvedRoot {
  /** Real path of the folder. */
  readonly folder: string
  /** Real path of the manifest that is read instead of the folder; null for a folder. */
  readonly manifest: string | null
}

/** Names of files that mean the folder they are in. */
const DEFINITION_FILES = /^(?:skill|agent|toolset|tool)\.md$/i

const PATH_HINT =
  'Give a folder with skills, a skill folder, its SKILL.md, or a Carnet manifest. A manifest of ' +
  '"loadout build" must be the only path.'

/** Resolves a given path. Throws `PATH_NOT_FOUND` or `PATH_NOT_A_FOLDER`. */
async function resolveRoot(path: string): Promise<ResolvedRoot> {
  const full = resolve(path)
  const facts = { path, resolved: full }
  try {
    const stats = await stat(full)
    const name = basename(full)
    if (stats.isDirectory()) return { folder: await realpath(full), manifest: null }
    const folder = await realpath(dirname(full))
    if (DEFINITION_FILES.test(name)) return { folder, manifest: null }
    if (name === CARNET_MANIFEST) return { folder, manifest: join(folder, name) }
  } catch (error) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is nothing to read at "${path}".`, {
      facts,
      hint: PATH_HINT,
      cause: error,
    })
  }
  throw new WorkspaceError('PATH_NOT_A_FOLDER', `"${path}" is not a folder with skills.`, {
    facts,
    hint: PATH_HINT,
  })
}

/** Reads one given path; skips folders in `seen`, which were read for an earlier path. */
async function loadRoot(
  { folder: root, manifest: given, reaches }: ResolvedRoot & Pick<RootContext, 'reaches'>,
  seen: Set<string>,
  options: ResolvedOptions,
  onFolder: FolderProgress | undefined,
) {
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
    reaches,
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
  const descend = (folder: Folder) => {
    if (skillFileName(folder) !== undefined) return false
    return carnet === null || folder.depth > 0 || CARNET_SOURCE_FOLDERS
  }
  const walk = await walkFolders(root, options, descend, undefined, reaches)
  found.push({ ...NOTHING_FOUND, diagnostics: walk.diagnostics })
  const fresh = walk.folders.filter(({ real }) => !seen.has(real))
  for (const { real } of fresh) seen.add(real)
  let done = 0
  const loaded = await mapBounded(fresh, FILES_AT_ONCE, async (folder) => {
    const part = await loadFolder(folder, context)
    done += 1
    onFolder?.(done, fresh.length)
    return part
  })
  found.push(...loaded, { ...NOTHING_FOUND, diagnostics: carnetExcluded(root, left) })
  return { found: joinFound(found), folders: walk.folders.length, carnet }
}
