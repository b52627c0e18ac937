import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { allowedUrl } from '../../remote/allowed-url.ts'
import { request } from '../../remote/request.ts'
import { httpAnswer, toHttpAnswer } from './http-answer.ts'
import { httpUrl } from './http-url.ts'

export const httpPost = defineTool({
  name: 'http_post',
  description:
    'Send JSON to an API over HTTP, on hosts that the operator allows. ' +
    'Gives the status and the body as text. Redirects are not followed.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'http',
  timeoutMs: 15_000,
  phrases: ['HTTP POST request', 'send data to an API', 'call a webhook'],
  related: ['http_get'],
  guidance: {
    pitfalls: ['What was sent cannot be taken back, and may have arrived after an error.'],
  },
  inputSchema: z.object({
    url: httpUrl,
    body: z.record(z.string(), z.unknown()).describe('The object to send, as JSON.'),
  }),
  outputSchema: httpAnswer,
  execute: async ({ url, body }, { services: { origins }, signal }: CmsContext) =>
    toHttpAnswer(
      await request(allowedUrl(url, origins), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    ),
})
