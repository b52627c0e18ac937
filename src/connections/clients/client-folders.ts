import { access, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { withoutComments } from './without-comments.ts'

/** The folders that a client is started with. */
export interface ClientFolders {
  /** The working folder, as a real path. */
  readonly folder: string
  readonly home: string
  /** The root of the repository that the working folder is in; null outside of one. */
  readonly root: string | null
  /** The working folder and its parents, nearest first, up to the root of the repository, or of the disk. */
  readonly parents: readonly string[]
}

/** Finds the folders that clients search, from a working folder and a home. */
export async function clientFolders(folder: string, home: string): Promise<ClientFolders> {
  const start = await realpath(folder).catch(() => resolve(folder))
  const parents: string[] = []
  for (let at = start; ; at = dirname(at)) {
    parents.push(at)
    const isRoot = await exists(join(at, '.git'))
    if (isRoot || dirname(at) === at) {
      const realHome = await realpath(home).catch(() => resolve(home))
      return { folder: start, home: realHome, root: isRoot ? at : null, parents }
    }
  }
}

/** Returns true if there is a file or folder. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Reads JSON settings of a client, with comments unless it is strict; null where there are none that can be read. */
export async function readSettings(file: string, isStrict = false): Promise<unknown> {
  try {
    const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
    return JSON.parse(isStrict ? text : withoutComments(text)) as unknown
  } catch {
    return null
  }
}

/** Returns a member of settings as an object; empty if it is none. */
export function member(
  value: unknown,
  ...keys: readonly string[]
): Readonly<Record<string, unknown>> {
  let at: unknown = value
  for (const key of keys) at = isObject(at) ? at[key] : undefined
  return isObject(at) ? at : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
