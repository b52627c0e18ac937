import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { askService } from '../../remote/ask-service.ts'
import { resultLimit } from '../result-limit.ts'
import { sourceShape } from './source-shape.ts'

const answer = z.object({ results: z.array(sourceShape.extend({ snippet: z.string() })) })

export const webQuickSearch = defineTool({
  name: 'web_quickSearch',
  description:
    'Search the web once and get a few results with snippets. ' +
    'Enough for a fact or an address; for the text of a result use web_fetchContent.',
  category: 'retrieval',
  topic: 'research',
  timeoutMs: 20_000,
  phrases: ['search the web', 'google', 'look something up online'],
  related: ['web_fetchContent', 'web_deepResearch'],
  extraction: {
    path: 'results',
    isArray: true,
    type: 'source',
    idField: 'url',
    nameField: 'title',
  },
  inputSchema: z.object({
    query: z.string().min(1).max(400).describe('As typed into a search engine.'),
    limit: resultLimit,
  }),
  outputSchema: answer,
  execute: ({ query, limit }, { services: { research }, signal }: CmsContext) =>
    askService('The research service', research, {
      path: '/search',
      query: { query, limit },
      answer,
      signal,
    }),
})
