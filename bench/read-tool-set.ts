import { readFileSync } from 'node:fs'

/** One tool of a set, in the form of its `tools.jsonl`. */
export interface SetTool {
  readonly name: string
  readonly description: string
  readonly inputSchema?: Readonly<Record<string, unknown>>
}

/** One request with the tools that answer it. */
export interface SetQuery {
  readonly query: string
  readonly gold: readonly string[]
  /** Equally correct names, by the one in `gold`. */
  readonly alt?: Readonly<Record<string, readonly string[]>>
}

export interface ToolSet {
  readonly tools: readonly SetTool[]
  readonly queries: readonly SetQuery[]
}

/** A set of `data/toolsearch`. */
export function readToolSet(name: string): ToolSet {
  const lines = (file: string): unknown[] =>
    readFileSync(new URL(`data/toolsearch/${name}/${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  return {
    tools: lines('tools.jsonl') as SetTool[],
    queries: lines('queries.jsonl') as SetQuery[],
  }
}

/** Returns the part of the gold tools that is among some names. */
export function recall({ gold, alt = {} }: SetQuery, names: readonly string[]): number {
  const hits = gold.filter((one) => [one, ...(alt[one] ?? [])].some((name) => names.includes(name)))
  return hits.length / gold.length
}
