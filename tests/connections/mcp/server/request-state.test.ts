import { expect, test } from 'vitest'
import { createCatalog, defineTool, type ToolContext } from '../../../../src/entries/index.ts'
import { sessionId } from '../../../../src/connections/mcp/server/named-sessions.ts'
import { endpointFor } from './served.ts'

const NAME = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

interface Answer {
  readonly result?: {
    readonly resultType?: string
    readonly requestState?: string
    readonly inputRequests?: Readonly<Record<string, unknown>>
    readonly content?: readonly { readonly text?: string }[]
    readonly isError?: boolean
  }
  readonly error?: { readonly code: number; readonly data?: unknown }
}

/** Calls a tool as a client of 2026-07-28 does, so that the test decides about the state. */
async function caller(execute: (context: ToolContext) => unknown, principal = true) {
  const make = (name: string) =>
    defineTool({
      name,
      description: 'Asks.',
      category: 'utility',
      inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
      execute: (_, context) => execute(context) as never,
    })
  const endpoint = await endpointFor({
    workspace: { catalog: await createCatalog({ tools: [make('ask'), make('other')] }) },
    ...(principal && {
      authenticate: ({ headers }) => ({ id: JSON.parse(headers.get('x-who') ?? '') as string }),
    }),
  })
  return async (params: object, { who = 'ada', can = { elicitation: {} } as object } = {}) => {
    const { name = 'ask' } = params as { name?: string }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': can,
    }
    const response = await endpoint.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
          'x-who': asciiJson(who),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: {}, ...params, _meta },
        }),
      }),
    )
    const text = await response.text()
    const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}')
    return JSON.parse(data) as Answer
  }
}

const asciiJson = (text: string) =>
  JSON.stringify(text).replace(
    /[^ -~]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const greet = async ({ elicit }: ToolContext) => {
  const answer = await elicit({ key: 'who', message: 'Who are you?', schema: NAME })
  return answer.action === 'accept' ? `Hello, ${String(answer.content['name'])}` : answer.action
}

const ada = { who: { action: 'accept', content: { name: 'Ada' } } }

test('a state brings a call to its end once, and is refused the second time', async () => {
  const call = await caller(greet)
  const { result } = await call({})
  expect(result).toMatchObject({ resultType: 'input_required' })
  expect(Object.keys(result?.inputRequests ?? {})).toEqual(['who'])
  const next = { inputResponses: ada, requestState: result?.requestState }
  expect((await call(next)).result?.content).toEqual([{ type: 'text', text: 'Hello, Ada' }])
  expect((await call(next)).error).toMatchObject({
    code: -32602,
    data: { reason: 'invalid_request_state' },
  })
})

test.each<[string, (state: string) => object, object?]>([
  ['that was changed', (state) => ({ requestState: `${state}x` })],
  ['of other arguments', (state) => ({ requestState: state, arguments: { at: 2 } })],
  ['of another tool', (state) => ({ requestState: state, name: 'other' })],
  ['of another principal', (state) => ({ requestState: state }), { who: 'bob' }],
])('a state %s is refused, and the call still waits', async (_, change, as = {}) => {
  const call = await caller(greet)
  const state = (await call({})).result?.requestState ?? ''
  const { error } = await call({ inputResponses: ada, ...change(state) }, as)
  expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
  const next = await call({ inputResponses: ada, requestState: state })
  expect(next.result?.content).toEqual([{ type: 'text', text: 'Hello, Ada' }])
})

test.each([
  ['\uD800', '\uDBFF'],
  ['\uD800', '\uFFFD'],
  ['a', 'a\0'],
  ['é', 'e\u0301'],
])('a principal %j has nothing of %j', async (who, other) => {
  const call = await caller(greet)
  const state = (await call({}, { who })).result?.requestState
  const next = { inputResponses: ada, requestState: state }
  expect((await call(next, { who: other })).error).toMatchObject({ code: -32602 })
  expect((await call(next, { who })).result?.content).toEqual([
    { type: 'text', text: 'Hello, Ada' },
  ])
})

test('each handle of each principal is a session of its own', () => {
  const names = ['', 'a', '\uD800', '\uDBFF', '\uFFFD', 'a\0b', 'a\0', '["a"', 'é', 'e\u0301']
  const handles = ['', 'b', 'b\0b', '\0b', '\uD800', 'c']
  const ids = names.flatMap((id) => handles.map((handle) => sessionId(handle, { id })))
  expect(new Set(ids).size).toBe(names.length * handles.length)
  expect(sessionId('c', null)).toBe(sessionId('c', { id: '' }))
  expect(sessionId('c', { id: 'ada' })).toBe('mcp-d1a6b81c8695b42f736f6a52329a391c')
})

test('an answer that does not fit its form is asked for again, with a new state', async () => {
  const call = await caller(greet)
  const first = await call({})
  const wrong = { who: { action: 'accept', content: { name: 7 } } }
  const second = await call({ inputResponses: wrong, requestState: first.result?.requestState })
  expect(second.result).toMatchObject({ resultType: 'input_required' })
  expect(second.result?.requestState).not.toBe(first.result?.requestState)
  const third = await call({ inputResponses: ada, requestState: second.result?.requestState })
  expect(third.result?.content).toEqual([{ type: 'text', text: 'Hello, Ada' }])
})

test('a call that needs more of the client than it declared is an error of the protocol', async () => {
  const call = await caller(greet)
  expect((await call({}, { can: {} })).error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  })
})

test('the handler runs once, however many rounds it takes', async () => {
  let runs = 0
  const call = await caller(async ({ elicit }) => {
    runs += 1
    const names: string[] = []
    for (const key of ['a', 'b', 'c']) {
      const answer = await elicit({ key, message: key, schema: NAME })
      if (answer.action === 'accept') names.push(String(answer.content['name']))
    }
    return names.join()
  })
  let { result } = await call({})
  for (const key of ['a', 'b', 'c']) {
    const inputResponses = { [key]: { action: 'accept', content: { name: key } } }
    result = (await call({ inputResponses, requestState: result?.requestState })).result
  }
  expect(result?.content).toEqual([{ type: 'text', text: 'a,b,c' }])
  expect(runs).toBe(1)
})
