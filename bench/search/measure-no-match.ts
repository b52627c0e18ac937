import { createToolIndex, evaluate, type NoMatch } from 'loadout/search'
import { ABSENT_REQUESTS } from './absent-requests.ts'
import { readSearchSet } from './read-search-set.ts'

/** The quality of "nothing fits" on a set, with small talk among its requests. */
export interface NoMatchFigure extends NoMatch {
  readonly set: string
}

/** Requests that no tool of any set answers, among those of a set. */
export async function measureNoMatch(set: string): Promise<NoMatchFigure> {
  const { documents, queries } = readSearchSet(set)
  const absent = ABSENT_REQUESTS.map((query) => ({ query, gold: [] }))
  const { noMatch } = await evaluate(createToolIndex(documents), [...queries, ...absent], () => 0)
  return { set, ...noMatch }
}
