import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { WorkspaceError } from '../../../../entries/index.ts'
import { didYouMean, errorCode, nearestNames } from '../../../../entries/kit.ts'
import type { EvaluationQuery, ToolDocument } from '../../../../entries/search.ts'

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
    /** The names of `topic` and `owner` in public data sets. */
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

/** A query with its line number. */
export interface EvalQuery extends EvaluationQuery {
  readonly line: number
}

/** Reads `tools.jsonl`: one tool per line, each name once. */
export async function readEvalTools(file: string): Promise<readonly ToolDocument[]> {
  const lines = await evalLines(file, TOOL)
  const seen = new Map<string, number>()
  const wrong: string[] = []
  for (const { number, value } of lines) {
    const key = `${value.kind ?? 'tool'} ${value.name}`
    const before = seen.get(key)
    if (before !== undefined)
      wrong.push(`line ${number}: "${value.name}" is already on line ${before}`)
    else seen.set(key, number)
  }
  if (wrong.length > 0) throw linesWrong(file, wrong)
  return lines.map(({ value }) => value)
}

/** Reads `queries.jsonl`: one query per line, with names that exist in the documents. */
export async function readEvalQueries(
  file: string,
  documents: readonly ToolDocument[],
): Promise<readonly EvalQuery[]> {
  const lines = await evalLines(file, QUERY)
  if (lines.length === 0) {
    throw new WorkspaceError('EVAL_EMPTY', `"${file}" contains no queries.`, {
      facts: { file },
      hint: 'Write one per line: {"query": "money back", "gold": ["refund_order"]}.',
    })
  }
  const names = new Set(documents.map(({ name }) => name))
  const wrong = lines.flatMap(({ number, value }) =>
    value.gold
      .filter((name) => !names.has(name))
      .map((name) => {
        const hint = didYouMean(nearestNames(name, [...names]), '')
        return `line ${number}: "${name}" does not exist. ${hint}`.trimEnd()
      }),
  )
  if (wrong.length > 0) {
    throw linesWrong(file, wrong, 'Correct the names in "gold".')
  }
  return lines.map(({ number, value }) => ({ ...value, line: number }))
}

/** A parsed line with its number, from 1. */
interface EvalLine<T> {
  readonly number: number
  readonly value: T
}

const FORM = 'Each line is a tool, {"name", "description"}, or a query, {"query", "gold": [names]}.'

/** Invalid lines that an error lists. */
const MOST_LISTED = 5

const MOST_BYTES = 256 * 1024 * 1024

/**
 * Reads the values of a JSON Lines file, without its empty lines.
 *
 * @throws WorkspaceError `PATH_NOT_FOUND`, or `EVAL_LINES_WRONG` that lists the invalid lines
 */
async function evalLines<T>(file: string, schema: z.ZodType<T>): Promise<readonly EvalLine<T>[]> {
  const lines: EvalLine<T>[] = []
  const wrong: string[] = []
  for (const [at, line] of (await readQueryText(file)).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const number = at + 1
    const read = parseQueryLine(line, schema)
    if ('fault' in read) wrong.push(`line ${number}: ${read.fault}`)
    else lines.push({ number, value: read.value })
  }
  if (wrong.length > 0) throw linesWrong(file, wrong)
  return lines
}

/** Returns the error that lists invalid lines. */
function linesWrong(file: string, wrong: readonly string[], hint = FORM): WorkspaceError {
  const more = wrong.length > MOST_LISTED ? [`and ${wrong.length - MOST_LISTED} more`] : []
  const listed = [...wrong.slice(0, MOST_LISTED), ...more].map((one) => `\n  ${one}`).join('')
  return new WorkspaceError('EVAL_LINES_WRONG', `"${file}" has invalid lines:${listed}`, {
    facts: { file, wrong },
    hint,
  })
}

function parseQueryLine<T>(
  line: string,
  schema: z.ZodType<T>,
): { readonly value: T } | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return { fault: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const faults = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `"${path.join('.')}": ${message}`,
  )
  return { fault: faults.join('; ') }
}

async function readQueryText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file)
    if (bytes.length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT'
    const why = error instanceof Error ? error.message : String(error)
    throw new WorkspaceError(
      isMissing ? 'PATH_NOT_FOUND' : 'EVAL_FILE_UNREADABLE',
      isMissing ? `"${file}" does not exist.` : `"${file}" cannot be read: ${why}.`,
      {
        facts: { file },
        hint: 'Give a folder with tools.jsonl and queries.jsonl, or paths to skills and --queries <file>.',
        cause: error,
      },
    )
  }
}
