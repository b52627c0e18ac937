import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { createCatalog, defineSkill, defineTool } from '../../../../src/entries/index.ts'
import { type McpEndpoint, type McpServing, serveMcp } from '../../../../src/entries/mcp.ts'

export type Revision = '2025-11-25' | '2026-07-28'

const order = {
  type: 'object',
  properties: { order: { type: 'string' } },
  required: ['order'],
} as const

/** A catalog with a skill whose tool asks first, and a tool that is always there. */
export async function shopCatalog() {
  return createCatalog({
    skills: [
      defineSkill({
        name: 'refunds',
        description: 'Pay customers back.',
        instructions: 'Look the order up first. The customer says: $ARGUMENTS',
        tools: [
          defineTool({
            name: 'refund',
            description: 'Pay an order back.',
            category: 'action',
            risk: 'destructive',
            inputSchema: order,
            execute: (input) => `refunded ${(input as { order: string }).order}`,
          }),
          defineTool({
            name: 'look_up',
            description: 'Look an order up.',
            category: 'retrieval',
            inputSchema: order,
            outputSchema: { type: 'object', properties: { state: { type: 'string' } } },
            execute: () => ({ state: 'paid' }),
          }),
        ],
      }),
    ],
  })
}

/** Serves an endpoint for one test. */
export async function endpointFor(
  options: Partial<McpServing> & { readonly workspace: McpServing['workspace'] },
): Promise<McpEndpoint> {
  const endpoint = await serveMcp(options)
  onTestFinished(() => endpoint.close())
  return endpoint
}

/** Connects the official client to an endpoint, over HTTP without a socket. */
export async function connected(
  endpoint: Pick<McpEndpoint, 'fetch'>,
  revision: Revision,
  {
    answer,
    headers = {},
  }: {
    /** Answers questions to the person; without it, the client has no form to show. */
    readonly answer?: (message: string) => object
    readonly headers?: Record<string, string>
  } = {},
): Promise<Client> {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
  const mode = revision === '2025-11-25' ? ('legacy' as const) : ('auto' as const)
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  )
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message) as never)
  }
  const fetch = (url: string | URL, init?: RequestInit) =>
    endpoint.fetch(new Request(url, { ...init, headers: withHeaders(init, headers) }))
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: fetch as never }),
  )
  onTestFinished(() => client.close())
  return client
}

function withHeaders(init: RequestInit | undefined, further: Record<string, string>): Headers {
  const headers = new Headers(init?.headers)
  headers.set('host', 'localhost')
  for (const [name, value] of Object.entries(further)) headers.set(name, value)
  return headers
}

/** Returns the texts of a result. */
export function textsOf(result: unknown): readonly string[] {
  const { content } = result as { content: readonly { readonly text?: string }[] }
  return content.flatMap(({ text }) => text ?? [])
}
