import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** One line of a file, and the number it has there, from 1. */
export interface EvalLine<T> {
  readonly number: number
  readonly value: T
}

const FORM =
  'A tool is {"name", "description"}, a request {"query", "gold": [names]}, one on each line.'

/** Bad lines that are told one by one. */
const MOST_TOLD = 5
const MOST_BYTES = 256 * 1024 * 1024

/**
 * The values of a JSON Lines file; empty lines are passed over.
 *
 * @throws WorkspaceError `PATH_NOT_FOUND`, or `EVAL_LINES_WRONG` that names the lines and what is
 * wrong with each
 */
export async function evalLines<T>(
  file: string,
  schema: z.ZodType<T>,
): Promise<readonly EvalLine<T>[]> {
  const lines: EvalLine<T>[] = []
  const wrong: string[] = []
  for (const [at, line] of (await textOf(file)).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const number = at + 1
    const read = valueOf(line, schema)
    if ('fault' in read) wrong.push(`line ${number}: ${read.fault}`)
    else lines.push({ number, value: read.value })
  }
  if (wrong.length > 0) throw linesWrong(file, wrong)
  return lines
}

/** The error for lines that are no good, each said with its number. */
export function linesWrong(file: string, wrong: readonly string[], hint = FORM): WorkspaceError {
  const more = wrong.length > MOST_TOLD ? [`and ${wrong.length - MOST_TOLD} more`] : []
  const told = [...wrong.slice(0, MOST_TOLD), ...more].map((one) => `\n  ${one}`).join('')
  return new WorkspaceError('EVAL_LINES_WRONG', `"${file}" cannot be used:${told}`, {
    facts: { file, wrong },
    hint,
  })
}

function valueOf<T>(
  line: string,
  schema: z.ZodType<T>,
): { readonly value: T } | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return { fault: `no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const faults = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `"${path.join('.')}": ${message}`,
  )
  return { fault: faults.join('; ') }
}

async function textOf(file: string): Promise<string> {
  try {
    const bytes = await readFile(file)
    if (bytes.length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = error instanceof Error ? error.message : String(error)
    throw new WorkspaceError(
      isMissing ? 'PATH_NOT_FOUND' : 'EVAL_FILE_UNREADABLE',
      isMissing ? `There is nothing at "${file}".` : `"${file}" cannot be read: ${why}.`,
      {
        facts: { file },
        hint: 'Give a folder with tools.jsonl and queries.jsonl, or skills and --queries <file>.',
        cause: error,
      },
    )
  }
}
