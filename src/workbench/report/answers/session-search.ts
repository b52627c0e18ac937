import type { WorkspaceReader } from '../../../entries/index.ts'
import { identityMemo, isMeta } from '../../../entries/kit.ts'
import {
  catalogIndex,
  documentsOf,
  layeredIndex,
  type SharedToolIndex,
  type ToolDocument,
} from '../../../entries/search.ts'
import type { FoundRow } from './found-report.ts'

/** The tools and skills of a session that can be searched. */
export interface SessionSearch {
  readonly index: SharedToolIndex
  /** Returns the results for a query, best first, with their owners. */
  find(
    query: string,
    limit: number,
  ): ReturnType<SharedToolIndex['search']> & {
    readonly results: readonly FoundRow[]
  }
}

const searchCache = identityMemo<SessionSearch>()

/** Returns the index of a catalog with a layer of the tools that only this session has. It is kept while they are the same. */
export function sessionSearch(
  workspace: Pick<WorkspaceReader, 'catalog' | 'tools'>,
): SessionSearch {
  const { catalog } = workspace
  const listed = workspace.tools()
  return searchCache([catalog, listed], '', () => {
    const own = listed.flatMap((one): readonly ToolDocument[] => {
      const { name, tool, source, owner } = one
      if (tool === undefined || source === 'skill' || isMeta(one)) return []
      if (catalog.toolsByHash.has(tool.hash)) return []
      const { description, phrases, topic, inputSchema } = tool
      return [
        {
          name,
          description,
          phrases,
          inputSchema,
          ...(topic !== undefined && { topic }),
          ...(source !== 'global' && { owner }),
        },
      ]
    })
    const base = catalogIndex(catalog)
    const index = own.length === 0 ? base : layeredIndex(base, own)
    const owners = new Map(
      [...documentsOf(catalog), ...own].map((one) => [
        `${one.kind ?? 'tool'} ${one.name}`,
        one.owner,
      ]),
    )
    return {
      index,
      find(query, limit) {
        const answer = index.search(query, { limit })
        const results = answer.results.map((one) => ({
          ...one,
          owner: owners.get(`${one.kind} ${one.name}`) ?? null,
        }))
        return { ...answer, results }
      },
    }
  })
}
