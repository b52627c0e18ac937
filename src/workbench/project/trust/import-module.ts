import { realpathSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import nodeModule, { type ResolveHookSync } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WorkspaceError } from '../../../entries/index.ts'
import { errorCode, textHash, tryOrUndefined } from '../../../entries/kit.ts'
import { GIT_DATA } from './trust-digest.ts'
import { isInside } from '../walk/is-inside.ts'

type ImportOutcome =
  | { readonly ok: true; readonly exports: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false
      /** Without a full stop. */
      readonly message: string
      /** The hint of a definition that was refused. */
      readonly hint?: string
    }

/** Milliseconds that a module may take to load, including its top-level awaits. */
const TIME_LIMIT = 10_000

/**
 * Imports a module inside a trusted folder. Everything that can happen is returned as an outcome,
 * even if the module throws or never finishes. A changed file is imported again. The module can
 * import `loadout` from anywhere, and nothing from Git's own data in the folder.
 */
export async function importModule(folder: string, path: string): Promise<ImportOutcome> {
  try {
    const real = await realpath(path)
    if (!isInside(folder, real)) {
      return { ok: false, message: 'it is a link out of the trusted folder' }
    }
    if (isInside(join(folder, GIT_DATA), real)) return { ok: false, message: `it ${UNCOVERED}` }
    if (!(await stat(real)).isFile()) return { ok: false, message: 'it is not a regular file' }
    guardImports(folder)
    // Bun ignores the search of a URL, and reads the one of a path.
    const location = nodeModule.registerHooks === undefined ? real : pathToFileURL(real).href
    const content = textHash(await readFile(real)).slice(-16)
    return { ok: true, exports: await withinTime(import(`${location}?content=${content}`)) }
  } catch (error) {
    const message = failureMessage(error).replace(/\.$/, '')
    const hint = WorkspaceError.is(error) ? error.hint : undefined
    return { ok: false, message, ...(hint !== undefined && { hint }) }
  }
}

async function withinTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it did not finish loading within ${TIME_LIMIT / 1000} seconds`)),
      TIME_LIMIT,
    )
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}

function failureMessage(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : `it threw a ${typeof error}`
}

/** The packages that a handler or a configuration may import from anywhere. */
const PROVIDED_PACKAGES = /^(?:loadout(?:\/.*)?|zod)$/

const UNCOVERED = "is in Git's own data, which no trust covers"

/** The folders whose modules were imported. */
const trustedFolders = new Set<string>()

/**
 * Lets modules anywhere on disk import `loadout` and `zod`: from their own `node_modules` if those
 * have it, otherwise from this package. So a folder of skills needs no installation of its own.
 * Refuses modules that no trust covers, also to the modules of a trusted folder.
 */
function guardImports(folder: string): void {
  if (trustedFolders.has(folder)) return
  if (nodeModule.registerHooks === undefined) refuseInBun(join(folder, GIT_DATA))
  else if (trustedFolders.size === 0) hookImports()
  trustedFolders.add(folder)
}

function hookImports(): void {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const module = resolveProvided(specifier, context, next)
      const path = module.url.startsWith('file:') ? fileURLToPath(module.url) : null
      if (path !== null && isGitData(path)) throw uncovered(path)
      return module
    },
  })
}

/** Refuses the files of a folder in Bun, whose modules cannot be hooked. Packages are not provided there. */
function refuseInBun(folder: string): void {
  const { Bun } = globalThis as {
    readonly Bun?: {
      plugin(plugin: {
        readonly name: string
        setup(build: {
          onLoad(where: { readonly filter: RegExp }, load: (file: { path: string }) => never): void
        }): void
      }): void
    }
  }
  if (Bun === undefined) {
    throw new Error(
      'it cannot be kept from Git\'s own data here: "node:module" has no registerHooks',
    )
  }
  const filter = new RegExp(`^${folder.replace(/\W/g, '\\$&')}(?:[\\\\/?]|$)`)
  Bun.plugin({
    name: `loadout ${folder}`,
    setup: (build) =>
      build.onLoad({ filter }, ({ path }) => {
        throw uncovered(path.replace(/\?.*/, ''))
      }),
  })
}

function uncovered(path: string): Error {
  return new Error(`it imports "${path}", which ${UNCOVERED}`)
}

const resolveProvided: ResolveHookSync = (specifier, context, next) => {
  try {
    return next(specifier, context)
  } catch (error) {
    const isNotFound = errorCode(error) === 'ERR_MODULE_NOT_FOUND'
    if (!PROVIDED_PACKAGES.test(specifier) || !isNotFound) throw error
    return next(specifier, { ...context, parentURL: import.meta.url })
  }
}

/** Follows links: Deno resolves a module without. */
function isGitData(path: string): boolean {
  const real = tryOrUndefined(() => realpathSync.native(path)) ?? path
  return [...trustedFolders].some((folder) => isInside(join(folder, GIT_DATA), real))
}
