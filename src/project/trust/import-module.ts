import { readFile, realpath, stat } from 'node:fs/promises'
import { registerHooks, type ResolveHookSync } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { GIT_DATA } from './trust-digest.ts'
import { isInside } from '../walk/is-inside.ts'
import { errorCode } from '../../kernel/thrown-message.ts'

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
    trustedFolders.add(folder)
    hookImports()
    const url = pathToFileURL(real)
    url.searchParams.set('content', textHash(await readFile(real)).slice(-16))
    return { ok: true, exports: await withinTime(import(url.href)) }
  } catch (error) {
    const message = messageOf(error).replace(/\.$/, '')
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

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : `it threw a ${typeof error}`
}

/** The packages that a handler or a configuration may import from anywhere. */
const PROVIDED_PACKAGES = /^(?:loadout(?:\/.*)?|zod)$/

const UNCOVERED = "is in Git's own data, which no trust covers"

/** The folders whose modules were imported. */
const trustedFolders = new Set<string>()

let hooked = false

/**
 * Lets modules anywhere on disk import `loadout` and `zod`: from their own `node_modules` if those
 * have it, otherwise from this package. So a folder of skills needs no installation of its own.
 * Refuses modules that no trust covers, also to the modules of a trusted folder.
 */
function hookImports(): void {
  if (hooked) return
  hooked = true
  registerHooks({
    resolve(specifier, context, next) {
      const module = resolveProvided(specifier, context, next)
      const path = module.url.startsWith('file:') ? fileURLToPath(module.url) : null
      if (path !== null && isGitData(path))
        throw new Error(`it imports "${path}", which ${UNCOVERED}`)
      return module
    },
  })
}

const resolveProvided: ResolveHookSync = (specifier, context, next) => {
  try {
    return next(specifier, context)
  } catch (error) {
    if (!PROVIDED_PACKAGES.test(specifier) || !isNotFound(error)) throw error
    return next(specifier, { ...context, parentURL: import.meta.url })
  }
}

function isGitData(path: string): boolean {
  return [...trustedFolders].some((folder) => isInside(join(folder, GIT_DATA), path))
}

function isNotFound(error: unknown): boolean {
  return errorCode(error) === 'ERR_MODULE_NOT_FOUND'
}
