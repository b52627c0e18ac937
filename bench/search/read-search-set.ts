import { readFileSync } from 'node:fs'
import type { EvaluationQuery, ToolDocument } from 'loadout/search'

/** A set of tools with requests, as documents to search. */
export interface SearchSet {
  readonly name: string
  readonly documents: readonly ToolDocument[]
  readonly queries: readonly EvaluationQuery[]
}

interface Line extends ToolDocument {
  readonly category?: string
  readonly server?: string
}

/** `metatool` is `metatool_phrases` without its phrases. */
const WITHOUT_PHRASES = 'metatool'

export const ENGLISH_SETS: readonly string[] =
  'livemcp bfcl stabletool_g1 metatool metatool_phrases acebench_en'.split(' ')
export const OTHER_SETS = ['acebench_zh', 'functionchat_ko', 'bfcl_ar']

export function readSearchSet(name: string): SearchSet {
  const folder = name === WITHOUT_PHRASES ? 'metatool_phrases' : name
  const lines = (file: string): unknown[] =>
    readFileSync(new URL(`../data/toolsearch/${folder}/${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  return {
    name,
    documents: (lines('tools.jsonl') as Line[]).map((line) => documentOf(line, folder === name)),
    queries: lines('queries.jsonl') as EvaluationQuery[],
  }
}

function documentOf(line: Line, withPhrases: boolean): ToolDocument {
  const { name, description, phrases, category, server, inputSchema } = line
  return {
    name,
    description,
    ...(withPhrases && phrases !== undefined && { phrases }),
    ...(category !== undefined && { topic: category }),
    ...(server !== undefined && { owner: server }),
    ...(inputSchema !== undefined && { inputSchema }),
  }
}
