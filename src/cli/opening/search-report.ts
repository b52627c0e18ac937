import type { SearchAnswer, SearchResult } from '../../search/rank/search-answer.ts'
import type { ToolDocument } from '../../search/index/tool-document.ts'
import { catalogToolAt } from '../../workspace/offer/discovery/catalog-tool-at.ts'
import type { OpenCatalog } from './open-catalog.ts'

/** One element of `results` of `search --json`. */
interface FoundReport extends SearchResult {
  /** The skill, toolset or component it belongs to; null for what is everybody's. */
  readonly owner: string | null
  readonly description: string
  /** The SKILL.md, or the folder of the tool; null for what is not on disk. */
  readonly path: string | null
}

/** What `search --json` prints: the answer of the search, and where its results are from. */
export interface SearchReport extends SearchAnswer {
  readonly query: string
  readonly results: readonly FoundReport[]
}

/** An answer, told with whose each result is and where it stands. */
export function searchReport(
  query: string,
  answer: SearchAnswer,
  documents: readonly ToolDocument[],
  { catalog, handlers }: Pick<OpenCatalog, 'catalog' | 'handlers'>,
): SearchReport {
  const byKey = new Map(documents.map((one) => [`${one.kind ?? 'tool'} ${one.name}`, one]))
  const pathOf = ({ name, kind }: SearchResult): string | null => {
    if (kind === 'skill') return catalog.skills.get(name)?.path ?? null
    const hash = catalogToolAt(catalog, name)?.hash
    return handlers.find(({ tool }) => tool.hash === hash)?.folder ?? null
  }
  const results = answer.results.map((result): FoundReport => {
    const { owner, description = '' } = byKey.get(`${result.kind} ${result.name}`) ?? {}
    return { ...result, owner: owner ?? null, description, path: pathOf(result) }
  })
  return { query, ...answer, results }
}
