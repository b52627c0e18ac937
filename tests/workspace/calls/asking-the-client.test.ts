import { expect, test } from 'vitest'
import { createCatalog, defineTool, VirtualWorkspace } from '../../../src/entries/index.ts'
import type { CallClient } from '../../../src/tools/definition/call-client.ts'
import type { ToolContext } from '../../../src/tools/definition/tool-context.ts'
import type { WorkspaceOptions } from '../../../src/workspace/open/workspace-options.ts'

const NAME_FORM = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

async function workspaceWith(
  execute: (context: ToolContext) => unknown,
  options: Partial<WorkspaceOptions> = {},
) {
  const outer = defineTool({
    name: 'outer',
    description: 'Calls the other tool.',
    category: 'utility',
    inputSchema: { type: 'object' },
    execute: async (_, context) => (await context.callTool('it', {})) as never,
  })
  const it = defineTool({
    name: 'it',
    description: 'Asks.',
    category: 'utility',
    inputSchema: { type: 'object' },
    execute: (_, context) => execute(context) as never,
  })
  return VirtualWorkspace.open({ catalog: await createCatalog({ tools: [outer, it] }), ...options })
}

const ask = ({ elicit }: ToolContext) => elicit({ message: 'Who are you?', schema: NAME_FORM })

function answering(name: unknown): CallClient {
  return { elicit: () => Promise.resolve({ action: 'accept', content: { name } as never }) }
}

test.each(['it', 'outer'])(
  'the client of a call answers the handler, called by %s',
  async (tool) => {
    const workspace = await workspaceWith(ask, { client: answering('the host') })
    const response = await workspace.callTool(tool, {}, { client: answering('Ada') })
    expect(JSON.stringify(response)).toContain('"content":{"name":"Ada"}')
    await workspace.close()
  },
)

test('a call without a client is answered by the functions of the host', async () => {
  const workspace = await workspaceWith(ask, { client: answering('the host') })
  expect(await workspace.callTool('it', {}, { client: {} })).toMatchObject({
    ok: true,
    data: { content: { name: 'the host' } },
  })
  await workspace.close()
})

test.each<[string, (context: ToolContext) => unknown, string]>([
  ['elicit', ask, 'elicitation'],
  ['sample', ({ sample }) => sample({ messages: [], maxTokens: 1 }), 'sampling'],
  ['roots', ({ roots }) => roots(), 'roots'],
])('%s without anyone to ask is refused with a reason', async (_, execute, capability) => {
  const workspace = await workspaceWith(execute)
  const response = await workspace.callTool('it', {})
  expect(response).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', details: { code: 'client-cannot', capability } },
  })
  await workspace.close()
})

test('an answer that does not fit the form fails the question', async () => {
  const workspace = await workspaceWith(ask, { client: answering(12) })
  const { error } = (await workspace.callTool('it', {})) as never as { error: { message: string } }
  expect(error).toMatchInlineSnapshot(`
    {
      "details": {
        "code": "answer-invalid",
        "issues": [
          {
            "message": "must be string, not number",
            "path": "/name",
          },
        ],
      },
      "message": "The answer to the question does not match its form: /name must be string, not number.",
      "partialSideEffects": false,
      "retryable": false,
      "type": "VALIDATION",
    }
  `)
  await workspace.close()
})

test('the time limit of a call is stopped while a person is asked', async () => {
  const answer = Promise.withResolvers<void>()
  const slow: CallClient = {
    async elicit() {
      setTimeout(answer.resolve, 60)
      await answer.promise
      return { action: 'decline' }
    },
  }
  const workspace = await workspaceWith(ask, { client: slow, limits: { timeoutMs: 20 } })
  expect(await workspace.callTool('it', {})).toMatchObject({
    ok: true,
    data: { action: 'decline' },
  })
  await workspace.close()
})

test('a question that nobody answers ends at the limit of confirmations', async () => {
  const client: CallClient = { elicit: () => new Promise(() => undefined) }
  const workspace = await workspaceWith(ask, { client, limits: { confirmationMs: 20 } })
  expect(await workspace.callTool('it', {})).toMatchObject({ ok: false })
  await workspace.close()
})

test('progress and log lines go to the client and to the host', async () => {
  const seen: unknown[] = []
  const client = (at: string): CallClient => ({
    progress: (update) => seen.push([at, update]),
    log: ({ data }) => seen.push([at, data]),
  })
  const workspace = await workspaceWith(
    ({ progress, log }) => {
      progress({ fraction: 0.5 })
      log({ level: 'info', data: 'half' })
      return null
    },
    { client: client('host') },
  )
  await workspace.callTool('it', {}, { client: client('client') })
  expect(seen).toEqual([
    ['client', { fraction: 0.5 }],
    ['host', { fraction: 0.5 }],
    ['client', 'half'],
    ['host', 'half'],
  ])
  await workspace.close()
})
