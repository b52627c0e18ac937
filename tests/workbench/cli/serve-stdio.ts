import { PassThrough } from 'node:stream'
import { main } from '../../../src/workbench/cli/main.ts'
import type { ProcessContext } from '../../../src/workbench/cli/shell/cli-context.ts'

interface Message {
  readonly id?: number
  readonly result?: Record<string, unknown>
  readonly error?: unknown
}

/** Runs `loadout mcp serve` for a client that writes messages, and returns everything on standard output. */
export async function serveStdio(
  argv: readonly string[],
  cwd: string,
  more: Partial<Pick<ProcessContext, 'trustFile' | 'home' | 'env'>> = {},
) {
  const stdin = new PassThrough()
  const lines: string[] = []
  const waiting = new Map<number, (message: Message) => void>()
  let rest = ''
  const stdout = {
    write(text: string) {
      const parts = `${rest}${text}`.split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        lines.push(line)
        const message = JSON.parse(line) as Message
        waiting.get(message.id ?? -1)?.(message)
      }
      return true
    },
  }
  let errors = ''
  const context: ProcessContext = {
    stdout,
    stderr: { write: (text) => (errors += text) },
    stdin,
    env: {},
    cwd,
    home: null,
    ...more,
    isTerminal: false,
    columns: 80,
    colour: false,
    onInterrupt: () => () => undefined,
    finish: () => Promise.resolve(),
  }
  const ended = main(['mcp', 'serve', ...argv], context)
  const send = (message: object) =>
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let id = 0
  const request = (method: string, params: object = {}) => {
    id += 1
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    waiting.set(id, resolve)
    // A server that could not begin answers nothing.
    void ended.then((code) => reject(new Error(`It ended with ${code}: ${errors}`)))
    send({ id, method, params })
    return promise
  }
  const { result } = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  const end = async () => {
    stdin.end()
    return { code: await ended, lines, errors }
  }
  return { result, request, end, lines }
}
