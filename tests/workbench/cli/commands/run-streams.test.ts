import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { openWireServer, type WireServerOptions } from '../../../wires/server/open-wire-server.ts'
import type { Answer } from '../../../wires/server/answer.ts'
import {
  answerOf,
  type ChatStream,
  CROOKED_STREAMS,
  STRAIGHT_STREAM,
} from '../../../wires/streams/chat-streams.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-streams-'))

beforeAll(() => {
  const tool = join(folder, 'tools', 'add')
  mkdirSync(tool, { recursive: true })
  const schema = {
    toolId: 'add',
    version: '1.0.0',
    category: 'utility',
    description: 'Add to the sum.',
    parameters: { type: 'object', properties: { x: { type: 'number' } } },
  }
  writeFileSync(join(tool, 'schema.json'), JSON.stringify(schema))
  writeFileSync(join(tool, 'doc_summary.md'), 'Adds to the sum.\n')
  writeFileSync(join(tool, 'handler.mjs'), "export const execute = () => 'added'\n")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Line {
  readonly type: string
  readonly [name: string]: unknown
}

/** Runs the command against a server that gives these answers, and returns its events. */
async function run(
  answers: WireServerOptions['answers'],
  options: readonly string[] = [],
  models?: WireServerOptions['models'],
) {
  const server = await openWireServer({ answers, ...(models && { models }) })
  const argv = ['run', 'tools', '--trust', '--model', `${server.url}/v1#local`, '--json']
  const { code, stdout, stderr } = await runCommand([...argv, ...options], {
    cwd: folder,
    input: 'Add.\n',
  })
  await server.close()
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return { code, lines, stderr, server }
}

/** The calls that ran, and the sentence at the end: what the model said, or what to do. */
function outcome(lines: readonly Line[]): string {
  const ran = lines.filter(({ type, ok }) => type === 'call.ended' && ok === true)
  const text = lines
    .flatMap((line) => (line.type === 'text' ? [String(line['text'])] : []))
    .join('')
  const notices = lines.filter(({ type }) => type === 'notice')
  const sentence = notices.map(({ message, hint }) => `${String(message)} ${String(hint)}`)
  const end = lines.at(-1)?.['status']
  return [`ran ${ran.length}`, `${String(end)}: ${sentence.join(' ') || text}`].join(', ')
}

test('each broken stream ends with a sentence that says what to do, and none of its calls runs', async () => {
  const seen: string[] = []
  for (const stream of [STRAIGHT_STREAM, ...CROOKED_STREAMS]) {
    const { lines } = await run([answerOf(stream), 'Done.', 'Done.'])
    seen.push(`${stream.quirk} ${outcome(lines)}`)
  }
  const text = seen.join('\n').replaceAll(/127\.0\.0\.1:\d+/gu, 'HOST')
  expect(text).toMatchInlineSnapshot(`
    "Nothing is odd. ran 1, done: Done.
    The call comes whole in one delta. ran 1, done: Done.
    It finishes by "stop" although there is a call. ran 1, done: Done.
    The call has no id. ran 1, done: Done.
    The id and the name are empty in later deltas. ran 1, done: Done.
    The call has no index. ran 1, done: Done.
    Two calls have the index 0. ran 2, done: Done.
    Two calls have one id. ran 2, done: Done.
    The arguments are an object. ran 0, failed: local at HOST sent the arguments of a call in another form than the text of Chat Completions. Update the server, or the proxy in front of it. The call did not run.
    The arguments are empty. ran 1, done: Done.
    The name of the tool is split over two deltas. ran 0, done: The server split the name of "add" into calls of "ad" and "d", which were refused. Update the server: it streams a name in parts, which clients read as several calls.
    No delta has a role. ran 1, done: Done.
    It does not end with [DONE]. ran 1, done: Done.
    It ends in the middle of the arguments. ran 0, failed: The answer of local at HOST ended in the middle. Say it again. If it ends again, see the log of the server: it may have no memory left.
    The call is written as text. ran 0, failed: The model wrote the call of "add" as text, and nothing ran: this server has no tool parser. Start it with one (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice --tool-call-parser <name>; SGLang: --tool-call-parser <name>; Ollama: a model whose page says "tools").
    There is reasoning_content, which the wire of OpenAI does not have. ran 1, done: Done.
    An error comes within the stream. ran 0, failed: The conversation is too long for local at HOST: Context length exceeded Unload skills, begin a new session, or start the server with a longer context (Ollama: OLLAMA_CONTEXT_LENGTH=32768; llama.cpp: -c 32768; vLLM: --max-model-len 32768)."
  `)
})

test('a server that refuses tools gets them as text, and calls are read from its text', async () => {
  const answers = ({ body, index }: { readonly body: object; readonly index: number }): Answer => {
    if ('tools' in body) return { status: 400, message: 'local does not support tools' }
    return index === 1
      ? 'I add.\n<tool_call>{"name": "add", "arguments": {"x": 1}}</tool_call>'
      : 'Done.'
  }
  const { lines, server, code } = await run(answers)
  expect(code).toBe(0)
  expect(outcome(lines)).toContain('ran 1, done: The server refuses tools')
  const [, second, third] = server.requests.map(({ body }) => JSON.stringify(body))
  expect(second).toContain('Add to the sum.')
  expect(third).toContain('<tool_result name=')
  expect(server.requests).toHaveLength(3)
})

test.each(['filter', 'length'] as const)(
  'a call in the text of an answer that was stopped does not run (%s)',
  async (stop) => {
    const text = 'I add.\n<tool_call>{"name": "add", "arguments": {"x": 1}}</tool_call>'
    const { lines } = await run(({ body }) =>
      'tools' in body ? { status: 400, message: 'local does not support tools' } : { text, stop },
    )
    expect(outcome(lines)).toMatch(/^ran 0, failed/u)
  },
)

test('a model whose calls are all refused is stopped', async () => {
  const { lines, code } = await run(() => [{ name: 'remove', input: {} }])
  expect(code).toBe(1)
  expect(outcome(lines)).toBe(
    'ran 0, stopped: All calls of 4 steps in a row failed. The turn was stopped. Read the refusals above, say what to do instead, or use a model that is better at calling tools.',
  )
})

test('a request that is longer than the model reads is not sent', async () => {
  const listed = await run(['Done.'], [], [{ id: 'local', max_model_len: 20 }])
  expect(outcome(listed.lines)).toMatch(
    /^ran 0, failed: The request has \d+ tokens, and local at \S+ reads 20\. Unload/u,
  )
  expect(listed.server.requests).toEqual([])
  const given = await run(['Done.'], ['--context', '30'])
  expect(outcome(given.lines)).toContain('reads 30.')
  const fits = await run(['Done.'], ['--context', '30000'])
  expect(outcome(fits.lines)).toBe('ran 0, done: Done.')
})

test.each<{ readonly title: string; readonly answer: Answer; readonly says: string }>([
  {
    title: 'does not have the model',
    answer: { status: 404, message: 'model "local" not found' },
    says: 'Name a model that it has',
  },
  {
    title: 'wants a key',
    answer: { status: 401, message: 'no key' },
    says: 'Set LOADOUT_MODEL_KEY',
  },
  {
    title: 'is loading',
    answer: { status: 503, message: 'Loading model' },
    says: 'Wait, then say it again',
  },
  {
    title: 'has a shorter context',
    answer: { status: 400, message: 'the request exceeds the maximum context length' },
    says: 'start the server with a longer context',
  },
])('a server that $title: the sentence says what to do', async ({ answer, says }) => {
  const { lines, code } = await run([answer])
  expect(code).toBe(1)
  expect(outcome(lines)).toContain(says)
})

test('without a server, the sentence says how to start one', async () => {
  const { code, stderr } = await runCommand(
    ['run', 'tools', '--trust', '--model', 'http://127.0.0.1:9/v1#local', '--print', 'Add.'],
    { cwd: folder },
  )
  expect(code).toBe(1)
  expect(stderr).toContain('No server answers at http://127.0.0.1:9.')
})

test('a model that is not named is that of the server when it has only one', async () => {
  const server = await openWireServer({ answers: ['One.'], models: [{ id: 'only' }] })
  const argv = ['run', 'tools', '--trust', '--model', `${server.url}/v1`, '--print', 'Say one.']
  const { stdout } = await runCommand(argv, { cwd: folder })
  await server.close()
  expect(stdout).toBe('One.\n')
  expect(server.requests[0]?.body['model']).toBe('only')
  const several = await openWireServer({ answers: [], models: [{ id: 'a' }, { id: 'b' }] })
  const refused = await runCommand([...argv.slice(0, 4), `${several.url}/v1`, '--print', 'x'], {
    cwd: folder,
  })
  await several.close()
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('The server has a, b.')
})

const WHOLE_CALL = {
  delta: {
    role: 'assistant',
    tool_calls: [
      { index: 0, id: 'call_a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } },
    ],
  },
}

test.each<{ readonly after: string; readonly stream: ChatStream }>([
  {
    after: 'an error',
    stream: { ...STRAIGHT_STREAM, parts: [WHOLE_CALL, { error: { message: 'out of memory' } }] },
  },
  {
    after: 'the end of the connection',
    stream: { ...STRAIGHT_STREAM, parts: [WHOLE_CALL], isOpenEnded: true },
  },
  {
    after: 'the limit of tokens',
    stream: { ...STRAIGHT_STREAM, parts: [WHOLE_CALL, { delta: {}, finish: 'length' }] },
  },
])('a complete call before $after does not run', async ({ stream }) => {
  const { lines, code } = await run([answerOf(stream)])
  expect(code).toBe(1)
  expect(outcome(lines)).toMatch(/^ran 0, failed: ./u)
  expect(lines.filter(({ type }) => type === 'call.started')).toEqual([])
})
