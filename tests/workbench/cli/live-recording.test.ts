import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasTerminals, runInTerminal } from '../playground/terminal/run-in-terminal.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'

const BIN = join(import.meta.dirname, '../../../bin/loadout.js')

/** Asks the model until it is ended, with a history that grows. */
const AGENT = `
  import { setTimeout } from 'node:timers/promises'
  const messages = []
  const tools = [{ name: 'search', input_schema: {} }]
  for (let n = 1; ; n += 1) {
    messages.push({ role: 'user', content: 'Question ' + n })
    const body = JSON.stringify({ model: 'm', system: 'Help.', tools, messages })
    const headers = { 'content-type': 'application/json' }
    await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
    console.log('asked')
    await setTimeout(300)
  }
`

/** Starts watch with an agent in a folder, whose first request is refused. */
async function aWatchedAgent() {
  const cwd = await temporaryFolder({ 'agent.mjs': AGENT })
  let count = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      count += 1
      response.writeHead(count === 1 ? 401 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ usage: { input_tokens: 50, output_tokens: 3 } }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const env = { PATH: process.env['PATH'], HOME: cwd, XDG_STATE_HOME: '' }
  const words = [BIN, 'watch', '--', process.execPath, 'agent.mjs']
  const watch = spawn(process.execPath, words, {
    cwd,
    env: { ...env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    const ended = once(watch, 'exit')
    watch.kill('SIGTERM')
    await ended
    server.close()
  })
  const lines = createInterface({ input: watch.stdout })[Symbol.asyncIterator]()
  return { cwd, asked: () => lines.next() }
}

describe.skipIf(!hasTerminals)('in another terminal', () => {
  test.each([
    // Waits for a session.
    { words: ['attach'], after: 1 },
    { words: ['attach', '--log', 'recording'], after: 2 },
    { words: ['play', '--log', 'recording'], after: 2 },
  ])('loadout $words shows requests as they come, without a key', async ({ words, after }) => {
    const { cwd, asked } = await aWatchedAgent()
    for (let count = 0; count < after; count += 1) await asked()
    const { left, ended, output } = await runInTerminal(
      // Writes whole frames.
      [process.execPath, BIN, ...words, '--screen-reader'],
      [...Array.from({ length: 8 }, () => ({ wait: 'read-only, followed' })), { type: 'q' }],
      { cwd },
    )
    expect({ left, ended }).toEqual({ left: [], ended: { ended: 'exit', by: 0 } })
    const shown = new Set(Array.from(output.matchAll(/request (\d+):/gu), ([, number]) => number))
    expect(shown.size).toBeGreaterThan(2)
    expect(output).not.toContain('lets this screen answer')
  })
})
