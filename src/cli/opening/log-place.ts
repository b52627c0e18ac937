import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'

/** What a log is kept in, and where. */
export type LogPlace =
  | { readonly kind: 'jsonl' | 'sqlite'; readonly file: string; readonly isThere: boolean }
  | { readonly kind: 'postgres'; readonly url: string }

/** What the system says of a file that is not there. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** How every SQLite file starts. */
const SQLITE_START = 'SQLite format 3\0'

/**
 * What a name of a log means: the address of a server by its scheme, a file by what it holds, and
 * one that is not there, or is empty, by its ending: `.sqlite`, `.sqlite3` and `.db`, else JSON Lines.
 */
export async function logPlace(name: string, cwd: string): Promise<LogPlace> {
  if (/^postgres(?:ql)?:\/\//i.test(name)) return { kind: 'postgres', url: name }
  const file = resolve(cwd, name)
  const start = await startOf(file)
  if (typeof start === 'string' && start !== '') {
    return { kind: start === SQLITE_START ? 'sqlite' : 'jsonl', file, isThere: true }
  }
  const kind = /\.(?:sqlite3?|db)$/i.test(name) ? 'sqlite' : 'jsonl'
  // An empty file is no database so far: to look at it would make it one.
  return { kind, file, isThere: start !== undefined && !(start === '' && kind === 'sqlite') }
}

/** How a place is told to people: an address without its password. */
export function shownPlace(place: LogPlace): string {
  if (place.kind !== 'postgres') return place.file
  try {
    const url = new URL(place.url)
    if (url.password !== '') url.password = '***'
    url.search = ''
    return url.href
  } catch {
    return 'the PostgreSQL server'
  }
}

/**
 * The first bytes of a file; undefined when there is none. Null for what is no regular file, or cannot
 * be read: whoever opens it as a log says what is wrong.
 */
async function startOf(file: string): Promise<string | null | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!(await handle.stat()).isFile()) return null
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE_START.length), 0)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(String(error.code))
    return isAbsent ? undefined : null
  }
}
