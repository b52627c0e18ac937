import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Said } from './scripted-model.ts'

/** A server that speaks OpenAI's chat completions on loopback. */
export interface RecordingServer {
  readonly baseURL: string
  /** The bytes of each request's body, as they came. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** Serve answers one after the other, and keep what was asked. */
export async function recordingServer(said: readonly Said[]): Promise<RecordingServer> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = said[bodies.length] ?? '(the script is over)'
      bodies.push(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(completion(answer)))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function completion(said: Said): object {
  const isText = typeof said === 'string'
  const calls = isText
    ? []
    : said.map(({ id, tool, input }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      }))
  const message = isText
    ? { role: 'assistant', content: said }
    : { role: 'assistant', content: null, tool_calls: calls }
  return {
    id: 'answer',
    object: 'chat.completion',
    created: 0,
    model: 'recorded',
    choices: [{ index: 0, message, finish_reason: isText ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}
