import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvaluationQuery } from '../../src/search/evaluate.ts'
import type { ToolDocument } from '../../src/search/index/tool-document.ts'

const DATA = join(import.meta.dirname, '..', '..', 'bench', 'data', 'toolsearch')

interface Line extends ToolDocument {
  readonly category?: string
  readonly server?: string
}

/** A public set of the bench (its README has origins and licences), every so many-th request. */
export function readSet(name: string, every: number) {
  const lines = (file: string): unknown[] =>
    readFileSync(join(DATA, name, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  const queries = lines('queries.jsonl') as EvaluationQuery[]
  const documents = (lines('tools.jsonl') as Line[]).map(
    ({ category, server, ...line }): ToolDocument => ({
      ...line,
      ...(category !== undefined && { topic: category }),
      ...(server !== undefined && { owner: server }),
    }),
  )
  return { documents, queries: queries.filter((_, at) => at % every === 0) }
}
