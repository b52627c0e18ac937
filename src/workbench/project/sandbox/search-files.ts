import { posix } from 'node:path'
import { ToolError } from '../../../entries/index.ts'
import { globMatcher } from '../../../engine/standing/matches-path.ts'
import { compilePattern } from '../../../schema/interpreter/compile-pattern.ts'
import type { ReadingSession } from './with-skill-folders.ts'

/** Folders that are not looked into, unless a pattern or a folder names them. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Entries that one search looks at. */
const MAX_ENTRIES = 20_000

/** Larger files are not searched. */
const MAX_FILE_BYTES = 1024 * 1024

/** Steps of the pattern that one search may take; some seconds. */
const MAX_WORK = 50_000_000

/** Characters of a line that are shown. */
const MAX_LINE = 500

/** Returns the paths of files that fit a pattern, sorted. `cut`: not all folders were looked into. */
export async function matchFiles(
  session: ReadingSession,
  { pattern, folder = '.', signal }: Pick<SearchRequest, 'pattern' | 'folder' | 'signal'>,
): Promise<{ readonly paths: readonly string[]; readonly cut: boolean }> {
  const { files, cut } = await walk(session, folder, pattern, signal)
  const fitting = files.filter(matcherOrThrow(pattern))
  return { paths: fitting.map((path) => posix.join(folder, path)), cut }
}

interface SearchRequest {
  readonly pattern: string
  readonly folder: string | undefined
  readonly glob: string | undefined
  /** Stops after so many lines. */
  readonly most: number
  readonly signal: AbortSignal
}

/** Returns the lines of files that a regular expression matches, as `path:line: text`. */
export async function searchFiles(
  session: ReadingSession,
  { pattern, folder = '.', glob, most, signal }: SearchRequest,
): Promise<{ readonly lines: readonly string[]; readonly cut: boolean }> {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) {
    throw new ToolError('VALIDATION', `The pattern ${compiled.reason}`, {
      details: { code: 'pattern-invalid' },
    })
  }
  let work = 0
  const spend = (steps: number) => {
    work += steps
    if (work <= MAX_WORK) return
    throw new ToolError('PERMANENT', 'The search takes too long. Search in fewer files.', {
      details: { code: 'search-too-long' },
    })
  }
  const own = await session.stat({ path: folder, abortSignal: signal })
  const isFile = own?.type === 'file'
  const { files, cut } = isFile
    ? { files: [''], cut: false }
    : await walk(session, folder, glob ?? '', signal)
  const isMeant = glob === undefined ? null : matcherOrThrow(glob)
  const lines: string[] = []
  for (const file of files) {
    // A pattern without a folder is meant for names.
    const name = glob?.includes('/') ? file : posix.basename(file)
    if (isMeant?.(name) === false) continue
    const path = isFile ? folder : posix.join(folder, file)
    for (const [index, line] of (await readLines(session, path, signal)).entries()) {
      if (!compiled.test(line, spend)) continue
      lines.push(`${path}:${index + 1}: ${line.slice(0, MAX_LINE).toWellFormed()}`)
      if (lines.length >= most) return { lines, cut: false }
    }
  }
  return { lines, cut }
}

async function readLines(
  session: ReadingSession,
  path: string,
  abortSignal: AbortSignal,
): Promise<readonly string[]> {
  const stat = await session.stat({ path, abortSignal })
  if (stat?.type !== 'file' || stat.size > MAX_FILE_BYTES) return []
  const bytes = await session.readBinaryFile({ path, abortSignal })
  if (bytes === null || bytes.includes(0)) return []
  return new TextDecoder('utf-8').decode(bytes).split(/\r?\n/)
}

/** Lists the files below a folder, relative to it, sorted. Links are not followed. */
async function walk(
  session: ReadingSession,
  folder: string,
  pattern: string,
  abortSignal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly cut: boolean }> {
  const files: string[] = []
  let seen = 0
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    abortSignal.throwIfAborted()
    const entries = await session.listDirectory({ path: posix.join(folder, at), abortSignal })
    if (entries === null && at === '') {
      const details = { code: 'file-not-found' }
      throw new ToolError('NOT_FOUND', `There is no folder "${folder}".`, { details })
    }
    for (const { name, type } of entries ?? []) {
      seen += 1
      if (seen > MAX_ENTRIES) return { files: files.sort(), cut: true }
      const path = at === '' ? name : `${at}/${name}`
      if (type === 'file') files.push(path)
      const isSkipped = SKIPPED.has(name) && !pattern.includes(name)
      if (type === 'directory' && !isSkipped) waiting.push(path)
    }
  }
  return { files: files.sort(), cut: false }
}

function matcherOrThrow(pattern: string): (path: string) => boolean {
  const isMeant = globMatcher(pattern)
  if (isMeant !== null) return isMeant
  throw new ToolError('VALIDATION', 'The pattern has too many alternatives.')
}
