import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EvaluationQuery } from '../../search/evaluate.ts'
import type { ToolDocument } from '../../search/index/tool-document.ts'

const texts = z.array(z.string())

const TOOL = z
  .object({
    name: z.string().min(1),
    description: z.string(),
    kind: z.enum(['tool', 'skill']).optional(),
    phrases: texts.optional(),
    tags: texts.optional(),
    topic: z.string().optional(),
    owner: z.string().optional(),
    /** Public sets say `category` and `server` for the two. */
    category: z.string().optional(),
    server: z.string().optional(),
    inputSchema: z.record(z.string(), z.unknown()).optional(),
  })
  .transform((line): ToolDocument => {
    const { name, description, kind, phrases, tags, inputSchema } = line
    const topic = line.topic ?? line.category
    const owner = line.owner ?? line.server
    return {
      name,
      description,
      ...(kind !== undefined && { kind }),
      ...(phrases !== undefined && { phrases }),
      ...(tags !== undefined && { tags }),
      ...(topic !== undefined && { topic }),
      ...(owner !== undefined && { owner }),
      ...(inputSchema !== undefined && { inputSchema }),
    }
  })

const QUERY = z
  .object({
    query: z.string().regex(/\S/, 'it is empty'),
    gold: texts,
    alt: z.record(z.string(), texts).optional(),
    id: z.union([z.string(), z.number()]).optional(),
  })
  .transform(({ query, gold, alt, id }) => ({
    query,
    gold,
    ...(alt !== undefined && { alt }),
    ...(id !== undefined && { id: String(id) }),
  }))

/** A request, and the line of its file. */
export interface EvalQuery extends EvaluationQuery {
  readonly line: number
}

/** Read `tools.jsonl`: one tool a line, each name once. */
export async function readEvalTools(file: string): Promise<readonly ToolDocument[]> {
  const lines = await evalLines(file, TOOL)
  const seen = new Map<string, number>()
  const wrong: string[] = []
  for (const { number, value } of lines) {
    const key = `${value.kind ?? 'tool'} ${value.name}`
    const before = seen.get(key)
    if (before !== undefined)
      wrong.push(`line ${number}: "${value.name}" is on line ${before}, too`)
    else seen.set(key, number)
  }
  if (wrong.length > 0) throw linesWrong(file, wrong)
  return lines.map(({ value }) => value)
}

/** Read `queries.jsonl`: one request a line, with names that some of the documents have. */
export async function readEvalQueries(
  file: string,
  documents: readonly ToolDocument[],
): Promise<readonly EvalQuery[]> {
  const lines = await evalLines(file, QUERY)
  if (lines.length === 0) {
    throw new WorkspaceError('EVAL_EMPTY', `"${file}" holds no request.`, {
      facts: { file },
      hint: 'Write one on each line: {"query": "money back", "gold": ["refund_order"]}.',
    })
  }
  const names = new Set(documents.map(({ name }) => name))
  const wrong = lines.flatMap(({ number, value }) =>
    value.gold
      .filter((name) => !names.has(name))
      .map((name) => {
        const hint = didYouMean(nearestNames(name, [...names]), '')
        return `line ${number}: there is no "${name}". ${hint}`.trimEnd()
      }),
  )
  if (wrong.length > 0) {
    throw linesWrong(file, wrong, 'What is not there is never found. Correct "gold", or the names.')
  }
  return lines.map(({ number, value }) => ({ ...value, line: number }))
}

/** One line of a file, and the number it has there, from 1. */
interface EvalLine<T> {
  readonly number: number
  readonly value: T
}

const FORM =
  'A tool is {"name", "description"}, a request {"query", "gold": [names]}, one on each line.'

/** Bad lines that are told one by one. */
const MOST_LISTED = 5

const MOST_BYTES = 256 * 1024 * 1024

/**
 * The values of a JSON Lines file; empty lines are passed over.
 *
 * @throws WorkspaceError `PATH_NOT_FOUND`, or `EVAL_LINES_WRONG` that names the lines and what is
 * wrong with each
 */
async function evalLines<T>(file: string, schema: z.ZodType<T>): Promise<readonly EvalLine<T>[]> {
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
function linesWrong(file: string, wrong: readonly string[], hint = FORM): WorkspaceError {
  const more = wrong.length > MOST_LISTED ? [`and ${wrong.length - MOST_LISTED} more`] : []
  const told = [...wrong.slice(0, MOST_LISTED), ...more].map((one) => `\n  ${one}`).join('')
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
