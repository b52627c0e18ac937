import { stat } from 'node:fs/promises'
import { type Catalog, type Diagnostic, WorkspaceError } from '../../entries/index.ts'
import { checkOptions, type OptionsOf, serialQueue } from '../../entries/kit.ts'
import { SERVERS_FILE } from './servers/server-source.ts'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { FSWatcher } from 'chokidar'
import {
  CARNET_CONFIG,
  CARNET_FOLDER,
  CARNET_MANIFEST,
} from '../../connections/carnet/format/carnet-files.ts'
import { defaultProjectPaths } from './config/default-paths.ts'
import { CONFIG_NAMES, configFolders } from './config/load-config.ts'
import { type Project, PROJECT_OPTIONS, type ProjectOptions } from './folders/open-project.ts'
import { openDefinitions } from './open-definitions.ts'
import { openTrustStore } from './trust/trust-store.ts'
import { isInside } from './walk/is-inside.ts'
import { findRepository } from './walk/link-reach.ts'
import { resolveOptions, SKIPPED_FOLDERS } from './walk/load-options.ts'
import { notifyListener } from '../../workspace/commands/outcome.ts'
import { givenPaths } from './walk/given-paths.ts'
import { userHome } from './walk/user-home.ts'

/** The project after a change, or the reason why it could not be read. */
export type ProjectUpdate =
  | { readonly ok: true; readonly project: Project }
  | { readonly ok: false; readonly problem: Diagnostic }

/** A watch of the files of a project. */
export interface ProjectWatch {
  /** Calls the listener after each change of a file; returns the function that stops it. */
  onChange(listener: (reading: ProjectUpdate) => void): () => void
  /** Reads the files now, such as after their folder was trusted. Listeners are not called. */
  read(): Promise<ProjectUpdate>
  close(): Promise<void>
}

export interface WatchOptions extends ProjectOptions {
  /** The project that was read before: its configuration may name additional folders. */
  readonly known?: Project
}

const OPTIONS: OptionsOf<WatchOptions> = { ...PROJECT_OPTIONS, known: 'object' }

/** Milliseconds without a change before files are read again: editors write in several steps. */
const DEBOUNCE_MS = 100

/** Milliseconds after which files are read again even if changes continue. */
const MAX_WAIT_MS = 2_000

/**
 * Watches the files that `openDefinitions` reads with these paths and options, and reads them again
 * after each change.
 *
 * Resolves when the watch is active. The first reading follows at once, so that no change since the
 * project was opened is missed. Paths that do not exist yet are noticed when they appear. A reading
 * that throws is reported as a problem, and the watch continues.
 */
export async function watchProject(
  folders: string | readonly string[] = [],
  given: WatchOptions = {},
): Promise<ProjectWatch> {
  checkOptions(given, OPTIONS)
  const { known, ...options } = given
  const paths = givenPaths(folders)
  const listeners = new Set<(reading: ProjectUpdate) => void>()
  const report = (reading: ProjectUpdate) => {
    for (const listener of listeners) void notifyListener(listener, reading)
  }
  const faults = new Set<string>()
  const onFault = (error: unknown) => {
    const problem = watchProblem(error)
    if (faults.has(problem.message)) return
    faults.add(problem.message)
    report({ ok: false, problem })
  }
  let hasNewFolder = false
  const onEvent = (kind: string) => {
    if (kind === 'addDir') hasNewFolder = true
    debounced.poke()
  }
  const startWatcher = (watched: WatchedPaths) => watchPaths(watched, onEvent, onFault)

  const readings = serialQueue()
  // One after the other, so that the last one is the newest.
  const read = () => readings(() => readProject(paths, options))
  const debounced = debounce(
    async () => {
      const isGrown = hasNewFolder
      hasNewFolder = false
      const reading = await read()
      await follow(reading.ok ? reading.project : null, isGrown)
      report(reading)
    },
    DEBOUNCE_MS,
    MAX_WAIT_MS,
  )
  /**
   * Starts the watch again when the configuration names other folders than before, or a folder appeared: what is written
   * in that before its own watch is active gives no event.
   */
  const follow = async (project: Project | null, isGrown: boolean) => {
    const next = project === null ? watched : await findWatchedPaths(paths, options, project)
    if (!isGrown && JSON.stringify(next) === JSON.stringify(watched)) return
    watched = next
    await watcher.close()
    watcher = await startWatcher(watched)
    debounced.poke()
  }

  let watched = await findWatchedPaths(paths, options, known)
  let watcher = await startWatcher(watched)
  debounced.poke()
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    async close() {
      listeners.clear()
      await debounced.close()
      await watcher.close()
    },
  }
}

/** Returns true when two catalogs have the same definitions, handlers and diagnostics. */
export function isSameCatalog(before: Catalog, after: Catalog): boolean {
  return (
    before.hash === after.hash &&
    JSON.stringify(before.diagnostics) === JSON.stringify(after.diagnostics) &&
    [...after.toolsByHash].every(
      ([hash, { execute }]) => before.toolsByHash.get(hash)?.execute === execute,
    )
  )
}

async function readProject(
  paths: readonly string[],
  options: ProjectOptions,
): Promise<ProjectUpdate> {
  try {
    return { ok: true, project: await openDefinitions(paths, options) }
  } catch (error) {
    const problem: Diagnostic = {
      code: 'project-unreadable',
      severity: 'error',
      message: `The project could not be read: ${failureMessage(error)}`,
      hint: WorkspaceError.is(error) ? error.hint : 'It is read again at the next change.',
    }
    return { ok: false, problem }
  }
}

async function findWatchedPaths(
  paths: readonly string[],
  {
    project: folder = process.cwd(),
    home,
    trusted,
    trustStore = openTrustStore(),
    ...options
  }: ProjectOptions,
  known: Project | undefined,
): Promise<WatchedPaths> {
  const project = resolve(folder)
  const hasParents = options.parents !== false && known?.config.folders.parents !== false
  const { folders: own } = await findRepository(project, home ?? userHome())
  const parents = hasParents ? own.slice(1) : []
  const given = await Promise.all(paths.map((path) => watchedFolder(resolve(path))))
  const watched =
    paths.length > 0
      ? given
      : defaultProjectPaths(project, home, [join(project, CARNET_FOLDER)], parents)
  return {
    folders: [
      ...new Set([
        ...watched,
        ...(known?.config.skills.filter((one) => typeof one === 'string') ?? []),
      ]),
    ],
    configFolders: await configFolders(paths.length > 0 ? given : [project], project),
    // Trust that is given or withdrawn changes which handlers are bound.
    trustFile: trusted === undefined ? trustStore.file : null,
    // A skill may be at the deepest level of its root, and has as many levels of its own.
    maxDepth: resolveOptions(options).limits.maxDepth * 2,
  }
}

/** Returns the folder of a path that is a `SKILL.md` or a manifest. */
async function watchedFolder(path: string): Promise<string> {
  const isFile = (await stat(path).catch(() => null))?.isDirectory() === false
  return isFile ? dirname(path) : path
}

async function watchPaths(
  watched: WatchedPaths,
  onEvent: (kind: string) => void,
  onFault: (error: unknown) => void,
): Promise<FSWatcher> {
  const roots = await Promise.all(watchRoots(watched).map(nearestFolder))
  // Loaded only when something is watched: most callers do not watch, and the first frame does not
  // wait for it.
  const { watch } = await import('chokidar')
  const watcher = watch([...new Set(roots)], {
    ignored: (path) => !isWatched(path, watched),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    // Events only trigger a reading; delaying deletions would delay it.
    atomic: false,
  })
  await new Promise<void>((ready) => {
    watcher.once('ready', ready)
    watcher.on('error', onFault)
  })
  watcher.on('all', onEvent)
  return watcher
}

/** Returns the folder itself, or its nearest existing parent. */
async function nearestFolder(path: string): Promise<string> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
  const above = dirname(path)
  return isFolder || above === path ? path : nearestFolder(above)
}

function watchProblem(error: unknown): Diagnostic {
  return {
    code: 'watch-failed',
    severity: 'warning',
    message: `Not everything can be watched for changes: ${failureMessage(error)}`,
    hint: 'Start again to see what changed, or raise the limit of watched files of the system.',
  }
}

function failureMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The paths that a project is read from, even those that do not exist yet. */
interface WatchedPaths {
  /** Folders whose complete content counts. */
  readonly folders: readonly string[]
  /** Folders in which only a configuration counts. */
  readonly configFolders: readonly string[]
  /** The file of the trust store; absent or null where it decides nothing. */
  readonly trustFile?: string | null
  /** Levels below a folder that are watched. */
  readonly maxDepth: number
}

/**
 * Returns true when a path may matter: it is in a folder that is read, is a configuration, or is a
 * parent of one of them. Parents are watched so that a folder that appears later is noticed.
 */
export function isWatched(
  path: string,
  { folders, configFolders, trustFile, maxDepth }: WatchedPaths,
): boolean {
  const places = [...folders, ...configFolders, ...(trustFile ? [trustFile] : [])]
  if (places.some((place) => isInside(path, place))) return true
  const isConfig = CONFIG_NAMES.includes(basename(path)) || OTHER_CONFIGS.has(basename(path))
  if (isConfig && configFolders.includes(dirname(path))) return true
  return folders.some((folder) => {
    if (!isInside(folder, path)) return false
    const parts = relative(folder, path).split(sep)
    return parts.length <= maxDepth + 1 && !parts.some((part) => SKIPPED_FOLDERS.has(part))
  })
}

const OTHER_CONFIGS: ReadonlySet<string> = new Set([CARNET_CONFIG, CARNET_MANIFEST, SERVERS_FILE])

/** Returns the outermost parents of the paths: watching these, filtered, watches all paths. */
export function watchRoots({ folders, configFolders, trustFile }: WatchedPaths): readonly string[] {
  const files = trustFile ? [trustFile] : []
  const above = [
    ...new Set([...[...folders, ...files].map((path) => dirname(path)), ...configFolders]),
  ]
  return above.filter((one) => !above.some((other) => other !== one && isInside(other, one)))
}

/**
 * Runs a task `quietMs` after the last poke, but no later than `longestMs` after the first. Runs do
 * not overlap: a poke during a run causes another run. The task must not reject. `close` stops the task, and resolves when
 * the current run has ended.
 */
export function debounce(task: () => Promise<void>, quietMs: number, longestMs: number) {
  let timer: NodeJS.Timeout | undefined
  let firstAt: number | null = null
  let running: Promise<void> | null = null
  let closed = false

  const schedule = () => {
    if (closed || running !== null || firstAt === null) return
    clearTimeout(timer)
    const left = firstAt + longestMs - performance.now()
    timer = setTimeout(run, Math.max(0, Math.min(quietMs, left)))
  }
  const run = () => {
    firstAt = null
    running = task().finally(() => {
      running = null
      schedule()
    })
  }
  return {
    poke() {
      firstAt ??= performance.now()
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
