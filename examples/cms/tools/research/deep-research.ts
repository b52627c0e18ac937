import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { askService } from '../../remote/ask-service.ts'
import { sourceShape } from './source-shape.ts'

const answer = z.object({ report: z.string(), sources: z.array(sourceShape) })

export const webDeepResearch = defineTool({
  name: 'web_deepResearch',
  description:
    'Have a question researched on the web: a report with its sources. Takes a minute. ' +
    'For questions that need several sources to be weighed; for one fact use web_quickSearch.',
  category: 'retrieval',
  topic: 'research',
  timeoutMs: 120_000,
  phrases: ['research a topic', 'thorough web research', 'write a report with sources'],
  related: ['web_quickSearch', 'cms_createPost'],
  extraction: {
    path: 'sources',
    isArray: true,
    type: 'source',
    idField: 'url',
    nameField: 'title',
  },
  inputSchema: z.object({
    question: z.string().min(1).max(2_000).describe('A whole question, with what matters.'),
  }),
  outputSchema: answer,
  execute: ({ question }, { services: { research }, signal }: CmsContext) =>
    askService('The research service', research, {
      path: '/research',
      body: { question },
      answer,
      signal,
    }),
})
