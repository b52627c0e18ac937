import { hash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import nodeModule, { type LoadFnOutput } from 'node:module'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'

// Workers load this file before anything else, so it imports nothing of this package.

/** The files below a folder that a person trusted, with the content that was trusted. */
interface CoveredFolder {
  /** Its real path. */
  readonly folder: string
  /** The digest of each file, by its real path; that of a linked file by the path of the link, too. Empty when trust was withdrawn. */
  readonly files: ReadonlyMap<string, string>
  /** The real paths of folders elsewhere that links in the folder lead to. */
  readonly elsewhere: ReadonlySet<string>
}

/** The name under which workers get the covered folders. Workers that they start get them, too. */
const SHARED = 'loadout: covered folders'

let covered: readonly CoveredFolder[] = []

/**
 * Compares what is loaded from below a folder with what was trusted, from now on, in this thread and in workers that
 * start later: modules, JSON, and native addons. Replaces what was known about the folder.
 */
export function coverFolder(given: CoveredFolder): void {
  if (covered.length === 0) hookLoads()
  share([...covered.filter(({ folder }) => folder !== given.folder), given])
}

/** Compares nothing from below a folder any more, or from a folder around it. */
export function uncoverFolder(folder: string): void {
  const others = covered.filter(
    (one) => !isInside(one.folder, folder) && !isInside(folder, one.folder),
  )
  if (others.length < covered.length) share(others)
}

function share(folders: readonly CoveredFolder[]): void {
  covered = folders
  workerThreads.setEnvironmentData(SHARED, folders)
}

/**
 * The times that a file is read again when other bytes were loaded than were compared. Either it changed in between, or
 * another loader of the process rewrites what it reads. Then only the file can be compared, before and after.
 */
const MOST_READS = 8

let isHooked = false

function hookLoads(): void {
  if (isHooked || nodeModule.registerHooks === undefined) return
  isHooked = true
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const module = next(specifier, context)
      const to = filePath(module.url)
      if (to !== undefined)
        refuseLinkOut(() => namedPaths(specifier, filePath(context.parentURL)), to)
      return module
    },
    load(url, context, next) {
      const path = filePath(url)
      if (path !== undefined) refuseLinkOut(() => [fileURLToPath(url)], path)
      const folder = path === undefined ? undefined : coveredFolderAt(path)
      if (path === undefined || folder === undefined) return next(url, context)
      for (let left = MOST_READS; ; left -= 1) {
        const bytes = compareFile(path, folder)
        const loaded = next(url, context)
        if (hasBytes(loaded, bytes)) return loaded
        if (left > 0) continue
        compareFile(path, folder)
        return loaded
      }
    },
  })
  if ('Deno' in globalThis) return
  hookAddons()
  hookWorkers()
}

/** Returns the real path of a file, or the path itself when there is none. */
function filePath(url: string | undefined): string | undefined {
  return url?.startsWith('file:') ? (realPath(fileURLToPath(url)) ?? fileURLToPath(url)) : undefined
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Returns the covered folder that a file belongs to, by its real path; the innermost of several. */
function coveredFolderAt(path: string): CoveredFolder | undefined {
  return covered
    .filter(
      ({ folder, files, elsewhere }) =>
        isInside(folder, path) || elsewhere.has(dirname(path)) || files.has(path),
    )
    .reduce<CoveredFolder | undefined>(
      (best, one) => (best && best.folder.length >= one.folder.length ? best : one),
      undefined,
    )
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/**
 * Returns the bytes of a file. Throws `TRUST_CHANGED` unless they are those that were trusted, and so is each `package.json`
 * that may say how it is loaded.
 */
function compareFile(path: string, { folder, files }: CoveredFolder): Buffer {
  for (let place = dirname(path); isInside(folder, place); place = dirname(place)) {
    const settings = join(place, 'package.json')
    const found = readBytes(settings)
    if (digest(found) !== files.get(settings)) throw changed(settings, folder, files)
    if (place === folder) break
  }
  const bytes = readBytes(path)
  if (bytes === undefined || digest(bytes) !== files.get(path)) throw changed(path, folder, files)
  return bytes
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function digest(bytes: Buffer | undefined): string | undefined {
  return bytes && `sha256:${hash('sha256', bytes, 'hex')}`
}

function hasBytes({ source }: LoadFnOutput, bytes: Buffer): boolean {
  if (source === undefined || source === null) return false
  if (typeof source === 'string') return source === bytes.toString('utf8')
  const [buffer, from, length] = ArrayBuffer.isView(source)
    ? [source.buffer, source.byteOffset, source.byteLength]
    : [source, 0, source.byteLength]
  return bytes.equals(new Uint8Array(buffer, from, length))
}

/** Refuses a file that a link in a covered folder leads to, if it did not when the folder was trusted. */
function refuseLinkOut(named: () => readonly string[], to: string): void {
  if (coveredFolderAt(to) !== undefined) return
  const paths = named()
  // There is no link in the path.
  if (paths.includes(to)) return
  for (const path of paths) {
    const folder = realPath(path) === undefined ? undefined : folderOnTheWay(path)
    if (folder !== undefined) throw changed(path, folder.folder, folder.files)
  }
}

/** Returns a covered folder that a path leads through. */
function folderOnTheWay(path: string): CoveredFolder | undefined {
  const place = realPath(path)
  const found = covered.find(({ folder }) => place !== undefined && isInside(folder, place))
  return found ?? (path === dirname(path) ? undefined : folderOnTheWay(dirname(path)))
}

/**
 * Returns the paths that a specifier may name, before links are followed: `import` reads it as a URL, and `require` as a
 * path.
 */
function namedPaths(specifier: string, from: string | undefined): readonly string[] {
  const place = from === undefined ? process.cwd() : dirname(from)
  const url = URL.parse(specifier)
  if (url?.protocol === 'file:') return [pathIn(url)]
  if (/^\.\.?(?:\/|$)/.test(specifier) || isAbsolute(specifier)) {
    const base = pathToFileURL(join(place, 'module'))
    const asURL = pathIn(URL.parse(specifier, base.href) ?? base)
    return ['', '.js', '.json', '.node'].flatMap((end) => [
      resolve(place, specifier) + end,
      asURL + end,
    ])
  }
  if (from === undefined || coveredFolderAt(from) === undefined) return []
  const [bare = ''] = specifier.split(/[?#]/, 1)
  const name = bare.split('/', bare.startsWith('@') ? 2 : 1).join('/')
  const paths: string[] = []
  for (let place = dirname(from); ; place = dirname(place)) {
    paths.push(join(place, 'node_modules', name))
    if (place === dirname(place)) return paths
  }
}

/** Returns the path of a URL, or what it has in place of one: a path for `require` is no URL. */
function pathIn(url: URL): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url.pathname
  }
}

/** Native addons have no source that a hook could compare, so the file is compared just before it is loaded. */
function hookAddons(): void {
  const load = process.dlopen
  process.dlopen = (module, file, ...flags: readonly unknown[]) => {
    const path = realPath(file) ?? resolve(file)
    refuseLinkOut(() => [resolve(file)], path)
    const folder = coveredFolderAt(path)
    if (folder !== undefined) compareFile(path, folder)
    Reflect.apply(load, process, [module, file, ...flags])
  }
}

/** Starts workers with this file, so that their loads are compared, too. */
function hookWorkers(): void {
  workerThreads.Worker = new Proxy(workerThreads.Worker, {
    construct(worker, [file, options, ...others]: [unknown, WorkerOptions?, ...unknown[]], made) {
      const start = (own: readonly string[]) => {
        const execArgv = [...own, '--require', import.meta.filename]
        return Reflect.construct(
          worker,
          [file, { ...options, execArgv }, ...others],
          made,
        ) as object
      }
      if (options?.execArgv !== undefined) return start(options.execArgv)
      try {
        return start(process.execArgv)
      } catch (error) {
        // It inherits options of the process that cannot be given to it by name.
        const { code, message } = error as NodeJS.ErrnoException
        if (code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error
        return start(process.execArgv.filter((one) => !message.includes(one)))
      }
    },
  })
  nodeModule.syncBuiltinESMExports()
}

function changed(path: string, folder: string, files: ReadonlyMap<string, string>): Error {
  const why = files.has(path)
    ? 'it has changed since its folder was trusted'
    : files.size > 0
      ? 'it was not there when its folder was trusted'
      : 'its folder is no longer trusted'
  const message = `"${path}" is not loaded: ${why}. Read it, then trust the folder again: loadout trust ${JSON.stringify(folder)}`
  return Object.assign(new Error(message), { code: 'TRUST_CHANGED', path, folder })
}

const inherited = workerThreads.isMainThread ? undefined : workerThreads.getEnvironmentData(SHARED)
if (Array.isArray(inherited)) (inherited as readonly CoveredFolder[]).forEach(coverFolder)
