import { ToolError } from 'loadout'
import { cut } from '../../lib/cut.ts'
import { innerPath } from '../../lib/inner-path.ts'
import { openInside } from '../../lib/open-inside.ts'
import { MOST_BYTES, readText } from '../../lib/read-text.ts'
import { rootFolder, type ExplorerContext } from '../../lib/root-folder.ts'
import { splitLines } from '../../lib/split-lines.ts'
import { stopWhenAborted } from '../../lib/stop-when-aborted.ts'

interface Input {
  readonly path: string
  readonly startLine?: number
  readonly endLine?: number
}

type Output =
  | {
      readonly path: string
      readonly kind: 'text'
      readonly size: number
      readonly startLine: number
      readonly endLine: number
      /** Lines in the file, or in as much of it as is ever read. */
      readonly lines: number
      readonly text: string
      readonly complete: boolean
      readonly note?: string
    }
  | { readonly path: string; readonly kind: 'binary'; readonly size: number }

const MOST_LINES = 1_000
const MOST_CHARACTERS = 60_000
const MOST_LINE = 4_000

export async function execute(input: Input, context: ExplorerContext): Promise<Output> {
  stopWhenAborted(context.signal)
  const path = innerPath(input.path)
  const opened = await openInside(await rootFolder(context), path)
  const file = await readText(opened).finally(() => opened.handle.close())
  stopWhenAborted(context.signal)
  if (file.kind === 'binary') return { path, kind: 'binary', size: opened.stats.size }

  const all = splitLines(file.text)
  const startLine = input.startLine ?? 1
  const wanted = Math.min(input.endLine ?? all.length, all.length)
  if (startLine > Math.max(all.length, 1) || (input.endLine ?? startLine) < startLine) {
    throw new ToolError(
      'VALIDATION',
      `Lines ${startLine} to ${input.endLine ?? 'the end'} were asked for; "${path}" has ${all.length}.`,
      { details: { lines: all.length } },
    )
  }
  const shown = takeLines(all.slice(startLine - 1, wanted))
  const endLine = startLine - 1 + shown.length
  const note = noteOf(endLine, wanted, file.complete)
  return {
    path,
    kind: 'text',
    size: opened.stats.size,
    startLine,
    endLine,
    lines: all.length,
    text: shown.join('\n'),
    complete: note === undefined,
    ...(note !== undefined && { note }),
  }
}

/** As many lines as one answer may carry, each no longer than a person would read. */
function takeLines(lines: readonly string[]): readonly string[] {
  const taken: string[] = []
  let characters = 0
  for (const line of lines) {
    const short = cut(line, MOST_LINE)
    characters += short.length + 1
    if (taken.length === MOST_LINES || characters > MOST_CHARACTERS) break
    taken.push(short)
  }
  return taken
}

function noteOf(endLine: number, wanted: number, wholeFile: boolean): string | undefined {
  if (endLine < wanted) return `Cut after line ${endLine}; go on with startLine ${endLine + 1}.`
  return wholeFile ? undefined : `Only the first ${MOST_BYTES} bytes of a file are ever read.`
}
