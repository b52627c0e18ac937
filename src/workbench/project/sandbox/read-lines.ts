import { ToolError } from '../../../entries/index.ts'
import { sanitiseText } from '../../../entries/kit.ts'
import type { ReadingSession } from './with-skill-folders.ts'

/** Lines of one answer of the read tool, unless the call says how many. */
export const READ_LINES = 2_000

/** Bytes of text of one answer. */
export const READ_BYTES = 50_000

interface ReadInput {
  readonly file_path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** Reads lines of a text file, bounded in bytes. Fails for a file that is not there, or is no text. */
export async function readLines(
  { file_path, offset = 1, limit = READ_LINES }: ReadInput,
  session: ReadingSession,
  abortSignal: AbortSignal,
) {
  const text = await readSandboxText(file_path, session, abortSignal)
  if (text === null) throw notFound(file_path)
  const lines = text.split('\n')
  // The last line break ends a line.
  if (lines.at(-1) === '') lines.pop()
  const shown: string[] = []
  let bytes = 0
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > READ_BYTES) break
    shown.push(line)
  }
  const first = lines[offset - 1]
  const isLong = shown.length === 0 && first !== undefined
  const next = offset + Math.max(1, shown.length)
  const body = isLong ? first.slice(0, READ_BYTES).toWellFormed() : shown.join('\n')
  return {
    path: file_path,
    text: sanitiseText(body),
    lines: lines.length,
    ...(next <= lines.length && { nextOffset: next }),
    ...(isLong && {
      notice: `Line ${offset} has ${first.length} characters; this is its beginning.`,
    }),
  }
}

/** Returns the text of a file; null when there is none. Fails for a file that is not UTF-8. */
export async function readSandboxText(
  file: string,
  session: ReadingSession,
  abortSignal: AbortSignal,
): Promise<string | null> {
  const bytes = await session.readBinaryFile({ path: file, abortSignal })
  if (bytes === null) return null
  try {
    if (bytes.includes(0)) throw new TypeError('a NUL byte')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ToolError('PERMANENT', `"${file}" is not text: it has ${bytes.length} bytes.`, {
      details: { code: 'file-not-text', bytes: bytes.length },
    })
  }
}

export interface EditInput {
  readonly file_path: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean | undefined
}

/**
 * Returns the text after an edit, and how often it replaced. Fails when the text to replace is not there, or not
 * unique.
 */
export function edited(
  text: string | null,
  { file_path, replace_all: all = false, ...given }: EditInput,
): { readonly text: string; readonly count: number } {
  if (text === null) throw notFound(file_path)
  // A model reads lines without their carriage returns.
  const asInFile = (part: string) =>
    text.includes('\r\n') && !part.includes('\r') ? part.replaceAll('\n', '\r\n') : part
  const [old, next] = [asInFile(given.old_string), asInFile(given.new_string)]
  const count = text.split(old).length - 1
  if (count === 0) throw cannotEdit('edit-not-found', `"${file_path}" does not contain old_string.`)
  if (count > 1 && !all) {
    const why = `"${file_path}" contains old_string ${count} times.`
    throw cannotEdit('edit-not-unique', `${why} Give more of the lines around it, or replace_all.`)
  }
  if (old === next) {
    throw cannotEdit('edit-without-change', 'old_string and new_string are the same.')
  }
  return { text: text.split(old).join(next), count }
}

function cannotEdit(code: string, message: string): ToolError {
  return new ToolError('CONFLICT', message, { details: { code } })
}

export function notFound(file: string): ToolError {
  return new ToolError('NOT_FOUND', `There is no "${file}".`, {
    details: { code: 'file-not-found' },
  })
}
