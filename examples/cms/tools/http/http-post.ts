import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { allowedUrl } from '../../remote/allowed-url.ts'
import { request } from '../../remote/request.ts'
import { httpAnswer, toHttpAnswer } from './http-answer.ts'

export const httpPost = defineTool({
  name: 'http_post',
  description: 'Send JSON to an API over HTTP, on hosts that the operator allows.',
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
  input: z.object({ url: z.string().max(2_000), body: z.record(z.string(), z.unknown()) }),
  output: httpAnswer,
  run: async ({ url, body }, { services: { origins }, signal }: CmsContext) =>
    toHttpAnswer(
      await request(allowedUrl(url, origins), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    ),
})
