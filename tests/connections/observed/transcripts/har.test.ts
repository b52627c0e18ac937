import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  readHar,
  recordingReader,
} from '../../../../src/connections/observed/transcripts/read-har.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { CLIENTS, type Line, only, plainCall, sampleLines } from './samples.ts'

const entry = (url: string, body: unknown, answer: unknown = {}, more: Line = {}): Line => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 30,
  request: {
    method: 'POST',
    url: `https://api.example.org${url}`,
    headers: [{ name: 'User-Agent', value: 'claude-cli/2.1.328 (external)' }],
    postData: { text: JSON.stringify(body) },
  },
  response: {
    content: { text: typeof answer === 'string' ? answer : JSON.stringify(answer), ...more },
  },
})

const har = (...entries: readonly Line[]) => ({ log: { version: '1.2', entries } })

const PATHS: Readonly<Record<string, string>> = {
  'claude-code': '/v1/messages?beta=true',
  codex: '/v1/responses',
  opencode: '/v1/chat/completions',
  pi: '/v1/chat/completions',
  // Stored in the form of the Messages API.
  'gemini-cli': '/v1/messages',
  'qwen-code': '/v1/chat/completions',
}

test.each(Object.keys(CLIENTS))(
  'the requests of %s have the calls, results and skills of its transcript',
  (client) => {
    const wire = sampleLines(client, 'load-and-count.wire')
    const entries = wire.map(({ messages, tools }) =>
      entry(PATHS[client] ?? '', { [client === 'codex' ? 'input' : 'messages']: messages, tools }),
    )
    const [fromHar, ...others] = readHar(har(...entries))
    const [fromFile] = CLIENTS[client]?.(sampleLines(client, 'load-and-count')) ?? []
    expect(others).toEqual([])
    for (const type of ['call', 'result', 'loaded'] as const) {
      const said = (seen: Parameters<typeof only>[0]) =>
        only(seen, type).map((one) => ({ ...one, call: plainCall(one.call ?? ''), at: 0 }))
      expect(said(fromHar?.seen ?? [])).toEqual(said(fromFile?.seen ?? []))
      const calls = client === 'claude-code' ? 4 : 3
      expect(said(fromHar?.seen ?? [])).toHaveLength(type === 'loaded' ? 1 : calls)
    }
  },
)

test.each([
  ['claude-cli/2.1.328 (external)', 'claude-code', '2.1.328'],
  ['GeminiCLI-tui/0.61.0/gemini-2.5-pro (linux; x64; terminal)', 'gemini-cli', '0.61.0'],
  ['QwenCode/0.15.10 (linux; x64)', 'qwen-code', '0.15.10'],
])('a program that calls itself %s is %s %s', (value, client, version) => {
  const { request, ...more } = entry('/v1/messages', { messages: [start] })
  const headers = [{ name: 'User-Agent', value }]
  const [session] = readHar(har({ ...more, request: { ...(request as Line), headers } }))
  expect(session).toMatchObject({ client, version })
})

test('the list of Qwen Code is in the description of a tool, each skill with its level', () => {
  const [request] = sampleLines('qwen-code', 'load-and-count.wire')
  const { messages, tools } = request ?? {}
  const [session] = readHar(har(entry('/v1/chat/completions', { messages, tools })))
  const listed = only(session?.seen ?? [], 'skills').at(-1)?.skills ?? []
  expect(listed.slice(-2)).toEqual([
    { name: 'stock-report', description: 'Counts items in stock and writes a short report.' },
    { name: 'tidy-notes', description: 'Sorts notes by date.' },
  ])
  expect(listed).toHaveLength(6)
})

const tools = [
  { name: 'get', description: 'Get.', input_schema: { type: 'object' } },
  { name: 'found', description: 'Found.', input_schema: { type: 'object' }, defer_loading: true },
]
const start = { role: 'user', content: 'Go.' }
const use = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'get', input: { x: 1 } }],
}
const answer = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', content: 'No.', is_error: true }],
}

test('a conversation has each message once, its instructions and tools when they change, and the tokens of answers', () => {
  const usage = {
    input_tokens: 5,
    cache_read_input_tokens: 90,
    cache_creation_input_tokens: 5,
    output_tokens: 1,
  }
  const stream = [
    `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { usage } })}`,
    `event: message_delta\ndata: ${JSON.stringify({ type: 'message_delta', usage: { output_tokens: 7 } })}`,
  ].join('\n\n')
  const body = { model: 'm', system: [{ type: 'text', text: 'Be brief.' }], tools }
  const [session, ...others] = readHar(
    har(
      entry('/v1/messages', { ...body, messages: [start] }, stream),
      entry('/v1/messages/count_tokens', { ...body, messages: [start] }),
      entry('/v1/messages', { model: 'm', messages: [{ role: 'user', content: 'Make a title.' }] }),
      entry(
        '/v1/messages',
        { ...body, messages: [start, use, answer] },
        Buffer.from(stream).toString('base64'),
        { encoding: 'base64' },
      ),
      entry('/v1/messages', {
        ...body,
        tools: [],
        messages: [start, use, answer, { role: 'user', content: 'On.' }],
      }),
    ),
  )
  expect(others).toHaveLength(1)
  expect(session).toMatchObject({
    session: 'conversation-1',
    client: 'claude-code',
    version: '2.1.328',
  })
  const seen = session?.seen ?? []
  expect(seen.map(({ type }) => type)).toEqual([
    'tools',
    'texts',
    'turn',
    'request',
    'answer',
    'call',
    'result',
    'request',
    'answer',
    'tools',
    'turn',
    'request',
  ])
  const counted = { input: 100, cached: 90, written: 5, output: 7 }
  expect(only(seen, 'answer')).toMatchObject([{ usage: counted, model: 'm' }, { usage: counted }])
  expect(only(seen, 'result')).toMatchObject([{ outcome: 'failed', text: 'No.' }])
  expect(only(seen, 'tools')[0]?.tools).toMatchObject([
    { name: 'get' },
    { name: 'found', deferred: true },
  ])
})

test('a request of the Responses API may continue an answer, and has tools in namespaces', () => {
  const usage = {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 2 },
  }
  const named = [
    {
      type: 'namespace',
      name: 'mcp__stock',
      tools: [{ type: 'function', name: 'count', parameters: {} }],
    },
    { type: 'web_search' },
  ]
  const sessions = readHar(
    har(
      entry(
        '/v1/responses',
        { input: 'Go.', instructions: 'Be brief.', tools: named },
        { id: 'r', usage },
      ),
      entry('/v1/responses', {
        previous_response_id: 'r',
        input: [{ type: 'function_call_output', call_id: 'a', output: 'A' }],
        instructions: 'Be brief.',
        tools: named,
      }),
    ),
  )
  expect(sessions).toHaveLength(1)
  const seen = sessions[0]?.seen ?? []
  expect(only(seen, 'tools').map((one) => one.tools.map(({ name }) => name))).toEqual([
    ['mcp__stock__count', 'web_search'],
  ])
  expect(only(seen, 'answer')).toMatchObject([
    { usage: { input: 9, cached: 4, output: 3, reasoning: 2 } },
  ])
  expect(only(seen, 'result')).toMatchObject([{ call: 'a', text: 'A' }])
  expect(only(seen, 'request')).toHaveLength(2)
})

test('a HAR file opens as a log, and one without requests to a model is no transcript', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'a.har')
  await writeFile(
    file,
    JSON.stringify(har(entry('/v1/messages', { messages: [start, use, answer], tools })), null, 2),
  )
  expect(await (await readTranscript(file))?.list()).toMatchObject([{ session: 'conversation-1' }])
  await writeFile(file, JSON.stringify(har(entry('/index.html', {}))))
  expect(await readTranscript(file)).toBeNull()
})

test('texts that a client writes in the name of the person are no turns', () => {
  const parts = ['<system-reminder>\nToday.\n</system-reminder>', 'Go.'].map((text) => ({
    type: 'text',
    text,
  }))
  const messages = [
    { role: 'user', content: '<environment_context>\n</environment_context>' },
    { role: 'user', content: parts },
  ]
  const [session] = readHar(har(entry('/v1/messages', { messages })))
  expect(only(session?.seen ?? [], 'turn').map(({ text }) => text)).toEqual(['Go.'])
})

test('a skill whose call was refused is not the one that is loaded next', () => {
  const calls = ['one', 'two'].map((skill) => {
    return { type: 'tool_use', id: skill, name: 'Skill', input: { skill } }
  })
  const answers = [
    { type: 'tool_result', tool_use_id: 'one', content: 'No.', is_error: true },
    { type: 'tool_result', tool_use_id: 'two', content: 'Launching skill: two' },
    { type: 'text', text: 'Base directory for this skill: /skills/folder-of-two\n\nBe brief.' },
  ]
  const messages = [
    start,
    { role: 'assistant', content: calls },
    { role: 'user', content: answers },
  ]
  const [session] = readHar(har(entry('/v1/messages', { messages })))
  expect(only(session?.seen ?? [], 'loaded')).toMatchObject([{ skill: 'two', call: 'two' }])
})

test('conversations of Codex that begin with the same surroundings are two', () => {
  const surroundings = { type: 'message', role: 'user', content: '<environment_context>' }
  const said = ['Go.', 'Count.'].map((content) => ({ type: 'message', role: 'user', content }))
  const requests = said.map((one) => entry('/v1/responses', { input: [surroundings, one] }))
  expect(readHar(har(...requests, ...requests))).toHaveLength(2)
})

test('in a recording, a subagent is a child of its call, and a request for a title one of the first session', () => {
  const begun = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'Agent', input: { prompt: 'Count the bolts.' } }],
  }
  const requests = [
    { messages: [{ role: 'user', content: 'Name this: Go.' }] },
    { messages: [start, begun], tools },
    { messages: [{ role: 'user', content: 'Count the bolts.' }], tools },
    { messages: [{ role: 'user', content: 'Another one.' }], tools },
  ]
  const lines = requests.map((body) => entry('/v1/messages', body))
  const sessions = recordingReader()([{ recording: 1, folder: '/shop' }, ...lines])
  expect(sessions.map(({ parent, folder }) => [parent?.session, parent?.call, folder])).toEqual([
    ['conversation-2', null, '/shop'],
    [undefined, undefined, '/shop'],
    ['conversation-2', 'a', '/shop'],
    [undefined, undefined, '/shop'],
  ])
})

const said = (role: string, content: string) => ({ role, content })

test('what the person went back from is a branch, and the session goes on without it', () => {
  const [first, answer] = [start, said('assistant', 'It is done, all of it, to the end.')]
  const load = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'l', name: 'Skill', input: { skill: 'tidy' } }],
  }
  const loaded = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'l', content: 'Launching.' },
      { type: 'text', text: 'Base directory for this skill: /s/tidy\n\nTidy.' },
    ],
  }
  const wrong = [first, answer, said('user', 'Wrong.')]
  const requests = [
    [first],
    wrong,
    [...wrong, load, loaded],
    [first, answer, said('user', 'Right.')],
    [first, answer, said('user', 'Right.'), said('assistant', 'Yes.'), said('user', 'Thanks.')],
  ]
  const [main, branch, ...others] = readHar(
    har(...requests.map((messages) => entry('/v1/messages', { messages, tools }))),
  )
  const turns = (session: typeof main) => only(session?.seen ?? [], 'turn').map(({ text }) => text)
  expect(others).toEqual([])
  expect([turns(main), turns(branch)]).toEqual([['Go.', 'Right.', 'Thanks.'], ['Wrong.']])
  expect([main, branch].map((one) => only(one?.seen ?? [], 'loaded').length)).toEqual([0, 1])
  expect(branch?.forkedFrom?.session).toBe(main?.session)
  expect(
    only(main?.seen ?? [], 'request').map(({ sent }) => [sent?.kept, sent?.added?.length]),
  ).toEqual([
    [0, 1],
    [1, 2],
    [3, 2],
  ])
})

test.each([
  {
    what: 'a remark at its end',
    now: [said('user', 'Go.\n<system-reminder>'), said('assistant', 'A.')],
  },
  { what: 'more words', now: [said('user', 'Go. And count.')] },
  { what: 'the same words', now: [start] },
])('a message that is sent again with $what is no branch', ({ now }) => {
  const requests = [[start], now].map((messages) => entry('/v1/messages', { messages, tools }))
  expect(readHar(har(...requests)).filter(({ forkedFrom }) => forkedFrom)).toEqual([])
})

test('a conversation of OpenCode goes on after its summary, which is a session of its own', () => {
  const summary = [
    said('user', 'What did we do so far?'),
    said('assistant', 'A summary of what we did, which is long enough.'),
    said('user', 'Continue if you have next steps.'),
  ]
  const bodies = [
    { messages: [start], tools },
    { messages: [said('user', 'Here is the conversation so far:')] },
    { messages: summary, tools },
  ]
  const lines = bodies.map((body) => ({ ...entry('/v1/chat/completions', body), _session: 'a' }))
  const other = { ...entry('/v1/chat/completions', bodies[2]), _session: 'b' }
  const sessions = recordingReader()([{ recording: 1, folder: '/shop' }, ...lines, other])
  const requests = sessions.map(({ seen }) => only(seen, 'request').length)
  expect(requests).toEqual([2, 1, 1])
  expect(only(sessions[0]?.seen ?? [], 'compacted')).toHaveLength(1)
})

test('a recording has the client that watch started, where its requests name a library', () => {
  const lines = [
    { recording: 1, folder: '/shop', client: 'pi' },
    entry('/v1/messages', { messages: [start] }),
  ]
  expect(recordingReader()(lines)).toMatchObject([{ client: 'pi', version: null }])
})

test('tools that a text of the client names are deferred until they are sent or gone', () => {
  const named =
    'The following deferred tools are now available via ToolSearch. Load them:\nget\nWebFetch\n\nMore.'
  const gone = 'The following tools are no longer available. Do not call them:\nWebFetch'
  const bodies = [
    { system: named, messages: [start], tools: [] },
    {
      system: named,
      messages: [start, said('assistant', named), said('user', gone)],
      tools: [tools[0]],
    },
  ]
  const [session] = readHar(har(...bodies.map((body) => entry('/v1/messages', body))))
  const shown = only(session?.seen ?? [], 'tools').map((one) =>
    one.tools.map(({ name, deferred = false }) => [name, deferred]),
  )
  expect(shown).toEqual([
    [
      ['get', true],
      ['WebFetch', true],
    ],
    [['get', false]],
  ])
})

test.each([
  ["ENOENT: no such file or directory, access '/shop/a'", 'failed'],
  ['before\n\n\nCommand exited with code 3', 'failed'],
  ['done\n\nCommand exited with code 0', 'ok'],
  ['Tool no_such_tool not found', 'failed'],
  ['Validation failed for tool "read":\n  - path', 'failed'],
  ['File not found: /shop/a', 'failed'],
  ['The read tool was called with invalid arguments: Missing key', 'failed'],
  ['Skill "no-such" not found. Available skills: tidy', 'failed'],
  ['Skill execution blocked by permission rules', 'refused'],
  ['ENOENT is the code of a missing file', 'ok'],
  ['The file has: File not found: a', 'ok'],
])('the result %j is %s', (content, outcome) => {
  const result = { role: 'tool', tool_call_id: 'a', content }
  const call = { id: 'a', type: 'function', function: { name: 'get', arguments: '{}' } }
  const messages = [start, { role: 'assistant', content: '', tool_calls: [call] }, result]
  const [session] = readHar(har(entry('/v1/chat/completions', { messages, tools })))
  expect(only(session?.seen ?? [], 'result')).toMatchObject([{ outcome }])
})

test('requests to the Gemini API have their instructions, tools, calls without ids, results and tokens', () => {
  const go = { role: 'user', parts: [{ text: 'Go.' }] }
  const calls = ['a', 'b'].map((x) => ({ functionCall: { name: 'get', args: { x } } }))
  const results = [{ output: 'one' }, { error: 'No.' }].map((response) => {
    return { functionResponse: { name: 'get', response } }
  })
  const about = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'get', parametersJsonSchema: { type: 'object' } }] }],
  }
  const usage = (promptTokenCount: number) => ({
    usageMetadata: {
      promptTokenCount,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 3,
    },
  })
  const [session, ...others] = readHar(
    har(
      entry('/v1beta/models/gemini-3:generateContent', { ...about, contents: [go] }, usage(9)),
      entry(
        '/v1beta/models/gemini-3:streamGenerateContent?alt=sse',
        {
          ...about,
          contents: [go, { role: 'model', parts: calls }, { role: 'user', parts: results }],
        },
        [usage(1), usage(20)].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''),
      ),
      entry('/v1beta/models/gemini-3:countTokens', { contents: [go] }),
    ),
  )
  expect(others).toEqual([])
  const seen = session?.seen ?? []
  expect(only(seen, 'texts')).toMatchObject([{ texts: [{ text: 'Be brief.' }] }])
  expect(only(seen, 'tools')).toMatchObject([
    { tools: [{ name: 'get', inputSchema: { type: 'object' } }] },
  ])
  expect(only(seen, 'turn').map(({ text }) => text)).toEqual(['Go.'])
  expect(only(seen, 'call').map(({ call, input }) => [call, input])).toEqual([
    ['call-1', { x: 'a' }],
    ['call-2', { x: 'b' }],
  ])
  expect(only(seen, 'result').map(({ call, outcome, text }) => [call, outcome, text])).toEqual([
    ['call-1', 'ok', 'one'],
    ['call-2', 'failed', 'No.'],
  ])
  expect(only(seen, 'answer')).toMatchObject([
    { model: 'gemini-3', usage: { input: 9, cached: 4, output: 5, reasoning: 3 } },
    { model: 'gemini-3', usage: { input: 20 } },
  ])
})
