import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { allowedUrl } from '../../remote/allowed-url.ts'
import { request } from '../../remote/request.ts'
import { httpAnswer, toHttpAnswer } from './http-answer.ts'
import { httpUrl } from './http-url.ts'

export const httpGet = defineTool({
  name: 'http_get',
  description:
    'Read from an API over HTTP, on hosts that the operator allows. ' +
    'Gives the status and the body as text, cut when it is long. Redirects are not followed.',
  category: 'retrieval',
  topic: 'http',
  timeoutMs: 15_000,
  phrases: ['call an API', 'HTTP GET request', 'fetch JSON from a URL'],
  related: ['http_post'],
  inputSchema: z.object({ url: httpUrl }),
  outputSchema: httpAnswer,
  execute: async ({ url }, { services: { origins }, signal }: CmsContext) =>
    toHttpAnswer(await request(allowedUrl(url, origins), { signal })),
})
