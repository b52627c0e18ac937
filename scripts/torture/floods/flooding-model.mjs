// A server of Chat Completions whose answers flood its client in the way that its first argument names. Writes its address.
import { createServer } from 'node:http'

const [, , kind] = process.argv

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const call = (index, args, name) => ({
  tool_calls: [
    {
      index,
      ...(name && { id: `c${Math.random()}`, type: 'function' }),
      function: { ...(name && { name }), arguments: args },
    },
  ],
})
const END = 'data: [DONE]\n\n'
const TEXT = 'x'.repeat(2_000)

/** The pieces of an answer; most never end. */
const ANSWERS = {
  *text() {
    for (;;) yield chunk({ content: TEXT })
  },
  *reasoning() {
    for (;;) yield chunk({ reasoning_content: TEXT })
  },
  *'arguments of a call'() {
    yield chunk(call(0, '{"note":"', 'calm'))
    for (;;) yield chunk(call(0, TEXT))
  },
  *'5,000 calls'() {
    for (let at = 0; at < 5_000; at += 1) yield chunk(call(at, `{"note":"${at}"}`, 'calm'))
    yield chunk({}, 'tool_calls') + END
  },
  *'long answers in turn'() {
    for (let at = 0; at < 150; at += 1) yield chunk({ content: TEXT })
    yield chunk(call(0, `{"note":"${Math.random()}"}`, 'calm')) + chunk({}, 'tool_calls') + END
  },
  *'a line without an end'() {
    yield 'data: {"a":"'
    for (;;) yield TEXT
  },
  *'an error without an end'() {
    for (;;) yield TEXT
  },
}

const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (request.method === 'GET') return response.end('{"data":[{"id":"m"}]}')
  let go = () => undefined
  for (const event of ['drain', 'close', 'error']) response.on(event, () => go())
  const isError = kind === 'an error without an end'
  response.writeHead(isError ? 500 : 200, {
    'content-type': isError ? 'text/plain' : 'text/event-stream',
  })
  for (const piece of ANSWERS[kind]()) {
    if (response.destroyed) return
    if (!response.write(piece)) await new Promise((done) => (go = done))
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/v1#m\n`)
})
