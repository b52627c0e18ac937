import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { askService } from '../../remote/ask-service.ts'
import { sourceShape } from './source-shape.ts'

const answer = sourceShape.extend({ text: z.string() })

export const webFetchContent = defineTool({
  name: 'web_fetchContent',
  description: 'Read the text of one page of the web. Gives its title and its text without markup.',
  category: 'retrieval',
  topic: 'research',
  timeoutMs: 30_000,
  phrases: ['read a web page', 'fetch the content of a URL', 'open a link'],
  related: ['web_quickSearch'],
  extraction: { path: '$root', type: 'source', idField: 'url', nameField: 'title' },
  inputSchema: z.object({ url: z.httpUrl().describe('The address of the page.') }),
  outputSchema: answer,
  // The service reads the page: no address of a model is ever requested from here.
  execute: ({ url }, { services: { research }, signal }: CmsContext) =>
    askService('The research service', research, {
      path: '/contents',
      query: { url },
      answer,
      signal,
    }),
})
