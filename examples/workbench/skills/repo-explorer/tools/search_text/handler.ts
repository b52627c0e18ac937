import { stat } from 'node:fs/promises'
import { cut } from '../../lib/cut.ts'
import { fitsGlob } from '../../lib/glob.ts'
import { innerPath } from '../../lib/inner-path.ts'
import { openInside, realInside } from '../../lib/open-inside.ts'
import { readText, type FileText } from '../../lib/read-text.ts'
import { rootFolder, type ExplorerContext } from '../../lib/root-folder.ts'
import { splitLines } from '../../lib/split-lines.ts'
import { stopWhenAborted } from '../../lib/stop-when-aborted.ts'
import { MOST_DEPTH, walk } from '../../lib/walk.ts'

interface Input {
  readonly text: string
  readonly path?: string
  readonly glob?: string
  readonly matchCase?: boolean
  readonly limit?: number
}

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

interface Output {
  readonly matches: readonly Match[]
  readonly filesSearched: number
  readonly binaryFiles: number
  readonly complete: boolean
  readonly note?: string
}

const MOST_FILES = 5_000
/** Characters shown of a matching line, around the match. */
const SHOWN = 300

export async function execute(input: Input, context: ExplorerContext): Promise<Output> {
  const { path = '.', glob, matchCase = false, limit = 50 } = input
  const root = await rootFolder(context)
  const start = innerPath(path)
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase())
  const needle = fold(input.text)
  const matches: Match[] = []
  let filesSearched = 0
  let binaryFiles = 0
  let partlyRead = 0
  const answer = (note?: string): Output => ({
    matches,
    filesSearched,
    binaryFiles,
    complete: note === undefined,
    ...(note !== undefined && { note }),
  })

  for await (const file of filesBelow(root, start, context.signal)) {
    if (glob !== undefined && !fitsGlob(file, glob)) continue
    if (filesSearched === MOST_FILES)
      return answer(`Cut after ${MOST_FILES} files; narrow it down.`)
    const content = await contentOf(root, file)
    stopWhenAborted(context.signal)
    if (content === undefined) continue
    filesSearched += 1
    if (content.kind === 'binary') {
      binaryFiles += 1
      continue
    }
    if (!content.complete) partlyRead += 1
    for (const [index, line] of splitLines(content.text).entries()) {
      const at = fold(line).indexOf(needle)
      if (at < 0) continue
      if (matches.length === limit) return answer(`Cut after ${limit} matches; narrow it down.`)
      matches.push({ path: file, line: index + 1, text: around(line, at) })
    }
  }
  return answer(
    partlyRead > 0 ? `Of ${partlyRead} large files only the start was read.` : undefined,
  )
}

/** The files of a folder, or the one file the path names. */
async function* filesBelow(
  root: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (!(await stat(await realInside(root, start))).isDirectory()) {
    yield start
    return
  }
  for await (const { path, kind } of walk(root, start, MOST_DEPTH, signal)) {
    if (kind === 'file') yield path
  }
}

/** Undefined for a file that cannot be opened (gone, no permission): the search goes on. */
async function contentOf(root: string, path: string): Promise<FileText | undefined> {
  const opened = await openInside(root, path).catch(() => undefined)
  if (opened === undefined) return undefined
  return readText(opened).finally(() => opened.handle.close())
}

function around(line: string, at: number): string {
  if (line.length <= SHOWN) return line
  const from = Math.max(0, Math.min(at, line.length) - 100)
  return `${from > 0 ? '…' : ''}${cut(line.slice(from), SHOWN)}`
}
