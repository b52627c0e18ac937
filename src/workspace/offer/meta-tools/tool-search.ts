import type { Tool } from '../../../tools/definition/tool.ts'
import { pageSchema } from '../discovery/page-schema.ts'
import { runSearch } from '../discovery/run-search.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'

interface SearchInput {
  readonly query: string
  /** Null from a provider that makes models give every argument. */
  readonly limit?: number | null
}

/** `tool_search`: the tools and skills for a task, with what it takes to call them. */
export function toolSearchTool(host: MetaHost): Tool {
  const { limit } = host.discovery
  return metaTool<SearchInput>(host, {
    name: 'tool_search',
    description:
      'Find the tools and skills for a task, with their rules. Search again for another need; answer directly when none is needed.',
    arguments: {
      query: { type: 'string', description: 'What to do, such as "create page".' },
      limit: { type: 'integer', default: limit },
    },
    optional: ['limit'],
    accepted: { query: { type: 'string' }, limit: { type: ['number', 'null'] } },
    output: pageSchema,
    variant: String(limit),
    run: (input, context) => runSearch(host, input, context),
  })
}
