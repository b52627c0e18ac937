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

/** Starts watch with an agent in a folder. */
async function aWatchedAgent() {
  const cwd = await temporaryFolder({ 'agent.mjs': AGENT })
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
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
  const asked = async () => once(createInterface({ input: watch.stdout }), 'line')
  return { cwd, asked }
}

describe.skipIf(!hasTerminals)('in another terminal', () => {
  test.each([
    { words: ['attach'] },
    { words: ['attach', '--log', 'recording'] },
    { words: ['play', '--log', 'recording'] },
  ])('loadout $words shows requests as they come, without a key', async ({ words }) => {
    const { cwd, asked } = await aWatchedAgent()
    await asked()
    const { left, ended, output } = await runInTerminal(
      [process.execPath, BIN, ...words],
      [{ wait: 'read-only, followed' }, { wait: 'step 5' }, { wait: 'step 6' }, { type: 'q' }],
      { cwd },
    )
    expect({ left, ended }).toEqual({ left: [], ended: { ended: 'exit', by: 0 } })
    expect(output).not.toContain('lets this screen answer')
  })
})
