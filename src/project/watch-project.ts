import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import type { Diagnostic } from '../kernel/diagnostic.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { tell } from '../workspace/commands/tell.ts'
import { CARNET_FOLDER } from '../adapters/carnet/format/carnet-places.ts'
import { configFolders } from './config/config-folders.ts'
import { resolveOptions } from './walk/load-options.ts'
import { openDefinitions } from './open-definitions.ts'
import type { Project, ProjectOptions } from './folders/open-project.ts'
import { projectPlaces } from './config/project-places.ts'
import { isWatched, type WatchedPlaces, watchRoots } from './watched-places.ts'
import { whenQuiet } from './when-quiet.ts'

/** What stands on disk after a change, or why it could not be read. */
export type ProjectReading =
  | { readonly ok: true; readonly project: Project }
  | { readonly ok: false; readonly problem: Diagnostic }

export interface ProjectWatch {
  /** Be told after each change of a file; returns what ends it. */
  onChange(listener: (reading: ProjectReading) => void): () => void
  close(): Promise<void>
}

export interface WatchOptions extends ProjectOptions {
  /** The project as it was read before: its configuration may name folders of its own. */
  readonly known?: Project
}

/** Milliseconds without a change before files are read again: editors write in several steps. */
const QUIET_MS = 100
/** Milliseconds after which they are read although changes go on. */
const LONGEST_MS = 2_000

/**
 * Watch what `openDefinitions` reads from these paths with these options, and read it again as it
 * changes. Resolves when the watch stands; the first reading follows at once, so that nothing that
 * changed since the project was opened is missed.
 *
 * Places that are not there yet count when they appear. A reading that throws is told as a problem
 * and the watch goes on.
 */
export async function watchProject(
  paths: readonly string[] = [],
  { known, ...options }: WatchOptions = {},
): Promise<ProjectWatch> {
  const listeners = new Set<(reading: ProjectReading) => void>()
  const report = (reading: ProjectReading) => {
    for (const listener of listeners) void tell(() => listener(reading))
  }
  const faults = new Set<string>()
  const onFault = (error: unknown) => {
    const problem = watchProblem(error)
    if (faults.has(problem.message)) return
    faults.add(problem.message)
    report({ ok: false, problem })
  }
  const begin = (places: WatchedPlaces) => beginWatch(places, () => quiet.poke(), onFault)

  const quiet = whenQuiet(
    async () => {
      const reading = await readProject(paths, options)
      if (reading.ok) await follow(reading.project)
      report(reading)
    },
    QUIET_MS,
    LONGEST_MS,
  )
  /** A configuration that names other folders than before moves the watch. */
  const follow = async (project: Project) => {
    const next = await placesOf(paths, options, project)
    if (JSON.stringify(next) === JSON.stringify(places)) return
    places = next
    await watcher.close()
    watcher = await begin(places)
    quiet.poke()
  }

  let places = await placesOf(paths, options, known)
  let watcher = await begin(places)
  quiet.poke()
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      listeners.clear()
      await quiet.close()
      await watcher.close()
    },
  }
}

async function readProject(
  paths: readonly string[],
  options: ProjectOptions,
): Promise<ProjectReading> {
  try {
    return { ok: true, project: await openDefinitions(paths, options) }
  } catch (error) {
    const problem: Diagnostic = {
      code: 'project-unreadable',
      severity: 'error',
      message: `What stands on disk could not be read: ${messageOf(error)}`,
      hint: WorkspaceError.is(error) ? error.hint : 'It is tried again at the next change.',
    }
    return { ok: false, problem }
  }
}

async function placesOf(
  paths: readonly string[],
  { project: folder = process.cwd(), home, ...options }: ProjectOptions,
  known: Project | undefined,
): Promise<WatchedPlaces> {
  const project = resolve(folder)
  const given = await Promise.all(paths.map((path) => folderOf(resolve(path))))
  const places =
    paths.length > 0 ? given : projectPlaces(project, home, [join(project, CARNET_FOLDER)])
  return {
    folders: [...new Set([...places, ...(known?.config.skills ?? [])])],
    configFolders: await configFolders(paths.length > 0 ? given : [project], project),
    // A skill may lie at the deepest level of its root, and has as many levels of its own.
    maxDepth: resolveOptions(options).limits.maxDepth * 2,
  }
}

/** A path that is a `SKILL.md`, or a manifest, means its folder. */
async function folderOf(path: string): Promise<string> {
  const isFile = await stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  )
  return isFile ? dirname(path) : path
}

async function beginWatch(
  places: WatchedPlaces,
  onEvent: () => void,
  onFault: (error: unknown) => void,
): Promise<FSWatcher> {
  const roots = await Promise.all(watchRoots(places).map(nearestFolder))
  // Loaded when something is watched: most who read a project do not, and the first frame does not wait.
  const { watch } = await import('chokidar')
  const watcher = watch([...new Set(roots)], {
    ignored: (path) => !isWatched(path, places),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    // Events are only counted here; holding deletions back would delay them.
    atomic: false,
  })
  await new Promise<void>((ready) => {
    watcher.once('ready', ready)
    watcher.on('error', onFault)
  })
  watcher.on('all', onEvent)
  return watcher
}

/** The folder itself, or the nearest above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  const above = dirname(path)
  return isFolder || above === path ? path : nearestFolder(above)
}

function watchProblem(error: unknown): Diagnostic {
  return {
    code: 'watch-failed',
    severity: 'warning',
    message: `Not everything can be watched for changes: ${messageOf(error)}`,
    hint: 'Start again to see what changed, or raise the limit of watched files of the system.',
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
