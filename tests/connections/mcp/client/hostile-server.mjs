// A server of plain JSON-RPC on its standard input and output, with the fault that its first argument names.
import { createInterface } from 'node:readline'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

const [, , given = 'none', file = ''] = process.argv
// A fault that changes from start to start is in a file, which gets the ids of the processes.
const fault = given === 'as-noted' ? readFileSync(file, 'utf8').split('\n')[0] : given
if (given === 'as-noted') appendFileSync(file, `${process.pid}\n`)

const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const schema = { type: 'object', properties: {} }
const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: schema,
  ...more,
})
const deep = (depth) => (depth === 0 ? {} : { type: 'object', properties: { a: deep(depth - 1) } })

const SECOND_PAGES = {
  'two-pages': () => ({ tools: [tool('better')] }),
  'refuses-second-page': () => null,
  'silent-second-page': () => undefined,
  'exits-at-second-page': () => process.exit(6),
}

const LISTS = {
  'ten-thousand-tools': () => ({
    tools: Array.from({ length: 10_000 }, (_, at) => tool(`t${at}`)),
  }),
  'same-name-twice': () => ({ tools: [tool('good'), tool('good', { description: 'Another.' })] }),
  'names-of-objects': () => ({ tools: [tool('__proto__'), tool('constructor'), tool('good')] }),
  'huge-schema': () => ({
    tools: [tool('good'), tool('huge', { inputSchema: { ...schema, title: 'x'.repeat(200_000) } })],
  }),
  'deep-schema': () => ({ tools: [tool('good'), tool('deep', { inputSchema: deep(2_000) })] }),
  'remote-reference': () => ({
    tools: [
      tool('good'),
      tool('far', {
        inputSchema: { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/a.json' } } },
      }),
    ],
  }),
  'escapes-in-names': () => ({
    tools: [tool('good'), tool('\u001b]52;c;eA==\u0007bad'), tool('\u202e')],
  }),
  'tool-without-schema': () => ({ tools: [tool('good'), { name: 'bad' }, 7, { name: 3 }] }),
  'task-only': () => ({
    tools: [tool('good'), tool('slow', { execution: { taskSupport: 'required' } })],
  }),
  'pages-in-a-circle': ({ cursor }) => ({
    tools: [tool(cursor === undefined ? 'good' : `good${cursor}`)],
    nextCursor: cursor === '1' ? '2' : '1',
  }),
  'cursor-that-stays': () => ({ tools: [tool('good'), tool('better')], nextCursor: 'same' }),
  'cursors-without-end': ({ cursor = '0' }) => ({
    tools: [tool('good')],
    nextCursor: String(Number(cursor) + 1),
  }),
  'pages-without-end': ({ cursor = '0' }) => ({
    tools: [tool(`good${cursor}`)],
    nextCursor: String(Number(cursor) + 1),
  }),
  'dangling-output': () => ({
    tools: [
      tool('good'),
      tool('screen', {
        outputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/Screen' } } },
      }),
    ],
  }),
  'huge-output': () => ({
    tools: [
      tool('good'),
      tool('screen', { outputSchema: { ...schema, title: 'x'.repeat(70_000) } }),
    ],
  }),
  'exits-at-the-list': () => process.exit(5),
  ...Object.fromEntries(
    ['two-pages', 'refuses-second-page', 'silent-second-page', 'exits-at-second-page'].map(
      (name) => [
        name,
        ({ cursor }) =>
          cursor === undefined ? { tools: [tool('good')], nextCursor: '2' } : SECOND_PAGES[name](),
      ],
    ),
  ),
  'wrong-output': () => ({
    tools: [
      tool('good', {
        outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
    ],
  }),
}

const text = (value) => ({ content: [{ type: 'text', text: value }] })

const CALLS = {
  'dies-in-a-call': () => process.exit(3),
  'lacks-a-token': () => process.exit(3),
  'never-answers': () => undefined,
  'answers-another-id': ({ id }) => write({ id: `${id}x`, result: text('late') }),
  'result-too-large': ({ id }) => write({ id, result: text('x'.repeat(2_000_000)) }),
  'result-of-another-shape': ({ id }) => write({ id, result: 7 }),
  'content-of-another-shape': ({ id }) => write({ id, result: { content: 'none' } }),
  'wrong-output': ({ id }) =>
    write({ id, result: { ...text('{}'), structuredContent: { n: 'one' } } }),
  'unknown-part': ({ id }) =>
    write({ id, result: { content: [{ type: 'hologram' }, { type: 'text', text: 'ok' }] } }),
  'says-it-failed': ({ id }) => write({ id, result: { ...text('fetch failed'), isError: true } }),
  'error-of-the-protocol': ({ id }) => write({ id, error: { code: -32603, message: 'broken' } }),
  'wrong-arguments': ({ id }) => write({ id, error: { code: -32602, message: 'no such thing' } }),
  'progress-after-the-end': ({ id, params }) => {
    write({ id, result: text('done') })
    write({
      method: 'notifications/progress',
      params: { progressToken: params._meta?.progressToken, progress: 1 },
    })
  },
  'message-too-long': () => process.stdout.write('x'.repeat(11_000_000)),
  'asks-for-a-model': ({ id }) => {
    CALLS.waiting = id
    write({ id: 'q1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } })
  },
  'asks-the-person': ({ id }) => {
    CALLS.waiting = id
    write({
      id: 'q1',
      method: 'elicitation/create',
      params: { message: 'Your password?', requestedSchema: schema },
    })
  },
}

if (fault === 'exits-at-once') {
  process.stderr.write('no licence\n')
  process.exit(4)
}
if (fault === 'lacks-a-token') process.stderr.write('LOADOUT_TEST_TOKEN is not set\n')
if (fault === 'prints-a-banner') process.stdout.write('Welcome!\n{"not":"a message"}\n')
if (fault === 'prints-for-people') process.stdout.write('Welcome!\n'.repeat(200_000))
if (fault === 'stays-after-the-end') {
  // A process that leaves the group of the server, and ignores what would end it.
  const child = spawn('sh', ['-c', 'trap "" TERM HUP; sleep 600'], {
    detached: true,
    stdio: 'ignore',
  })
  writeFileSync(file, `${process.pid} ${child.pid}`)
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 1_000)
}

function initialised(params) {
  if (fault === 'another-revision') return { protocolVersion: '1999-01-01' }
  return { protocolVersion: params.protocolVersion }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  const { id, method, params } = message
  if (id === 'q1')
    return write({
      id: CALLS.waiting,
      result: text(JSON.stringify(message.result ?? message.error)),
    })
  switch (method) {
    case 'initialize': {
      if (fault === 'silent-at-the-start') return
      if (fault === 'refuses-to-start')
        return write({ id, error: { code: -32000, message: 'not today' } })
      const isSecond = fault === given && file !== '' && existsSync(file)
      if (fault === given && fault === 'another-identity') writeFileSync(file, '')
      const name = isSecond || fault === 'another-name' ? 'another' : 'hostile'
      return write({
        id,
        result: {
          ...initialised(params),
          serverInfo: { name, version: '1' },
          capabilities: { tools: { listChanged: true } },
        },
      })
    }
    case 'notifications/initialized':
      if (fault === 'storm-of-changes') {
        for (let at = 0; at < 5_000; at += 1) write({ method: 'notifications/tools/list_changed' })
      }
      return
    case 'tools/list': {
      if (fault === 'storm-of-changes') appendFileSync(file, 'listed\n')
      if (fault === 'silent-list') return
      if (fault === 'refuses-to-list')
        return write({ id, error: { code: -32603, message: 'no list' } })
      if (fault === 'list-of-another-shape') return write({ id, result: { tools: 'none' } })
      const result = (LISTS[fault] ?? (() => ({ tools: [tool('good')] })))(params ?? {})
      if (result === undefined) return
      if (result === null) return write({ id, error: { code: -32603, message: 'no page' } })
      return write({ id, result })
    }
    case 'tools/call':
      if (fault === 'another-identity') process.exit(0)
      return (CALLS[fault] ?? (() => write({ id, result: text('good') })))(message)
    default:
      if (id !== undefined) write({ id, error: { code: -32601, message: 'unknown method' } })
  }
})
