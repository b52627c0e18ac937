import { z } from 'zod'
import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EvaluationQuery } from '../../search/evaluate.ts'
import type { ToolDocument } from '../../search/index/tool-document.ts'
import { evalLines, linesWrong } from './eval-lines.ts'

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
