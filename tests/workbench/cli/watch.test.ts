import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { access, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../project/temporary-folder.ts'

const BIN = join(import.meta.dirname, '../../../bin/loadout.js')

const KEY = 'sk-made-up-0123456789abcdef'

/** A provider that answers each request alike, and keeps what it got. */
async function aProvider() {
  const got: { readonly path: string; readonly key: string; readonly body: string }[] = []
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      got.push({ path: request.url ?? '', key: String(request.headers['x-api-key']), body })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ usage: { input_tokens: 50, output_tokens: 3 } }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { got, url: `http://127.0.0.1:${port}` }
}

/** Asks the model for each text, with a history that grows. */
const AGENT = `
  const messages = []
  for (const content of process.argv.slice(2)) {
    messages.push({ role: 'user', content })
    const body = JSON.stringify({ model: 'claude-opus-4-8', messages })
    const headers = { 'content-type': 'application/json', 'x-api-key': '${KEY}' }
    await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
    messages.push({ role: 'assistant', content: 'Done.' })
  }
  process.exitCode = Number(process.env.CODE ?? 0)
`

async function aFolder() {
  const cwd = await temporaryFolder({ 'agent.mjs': AGENT })
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: process.env['PATH'], HOME: cwd, XDG_STATE_HOME: '', ...more }
    return spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const loadout = async (argv: readonly string[], more?: Readonly<Record<string, string>>) => {
    const child = run([BIN, ...argv], more)
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code: child.exitCode, stdout, stderr }
  }
  return { cwd, run, loadout }
}

test('an agent that watch starts reaches its provider, and its recording is a session without its key', async () => {
  const { got, url } = await aProvider()
  const { loadout } = await aFolder()
  const agent = ['--', process.execPath, 'agent.mjs', `Use ${KEY}.`, 'And?']
  const watched = await loadout(['watch', ...agent], { ANTHROPIC_BASE_URL: url })
  expect(watched).toMatchObject({ code: 0, stderr: '' })
  expect(got.map(({ path, key }) => [path, key])).toEqual([
    ['/v1/messages', KEY],
    ['/v1/messages', KEY],
  ])
  expect(got[0]?.body).toContain(KEY)
  const [, file = ''] = /^2 requests recorded in (.*)\. Look: /.exec(watched.stdout) ?? []
  expect(await readFile(file, 'utf8')).not.toContain(KEY)
  const replay = await loadout(['replay', '--log', 'recording'])
  expect(replay.stdout).toContain('step 2 answered: 50 input tokens')
  const deleted = await loadout(['sessions', 'delete', 'x', '--log', 'recording'])
  expect(deleted.stderr).toContain('which is only looked at')
})

test('without a command, watch prints the addresses and each request until it is interrupted', async () => {
  const { url } = await aProvider()
  const { run, loadout } = await aFolder()
  const watch = run([BIN, 'watch', '--to', 'one.jsonl'], { ANTHROPIC_BASE_URL: url })
  const lines = createInterface({ input: watch.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  expect(await next()).toBe('Set the address of your API, and start your agent there:')
  const address = (await next()).trim().split('=')
  expect([address[0], await next(), await next()]).toEqual([
    'ANTHROPIC_BASE_URL',
    expect.stringContaining('OPENAI_BASE_URL='),
    expect.stringContaining('GOOGLE_GEMINI_BASE_URL='),
  ])
  expect(await next()).toMatch(
    /^Recording to .*one\.jsonl\. See it live in another terminal: loadout attach --log one\.jsonl\. Ctrl-C ends it\.$/,
  )
  await once(run(['agent.mjs', 'Hello.'], { ANTHROPIC_BASE_URL: address[1] ?? '' }), 'exit')
  expect(await next()).toContain(
    '200  claude-opus-4-8, 1 message, 0 tools  50 tokens in, 0 of them cached, 3 out',
  )
  watch.kill('SIGINT')
  expect(await next()).toMatch(/^1 request recorded in .*Look: loadout play --log one\.jsonl$/)
  const again = await loadout(['watch', '--to', 'one.jsonl'])
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('is there already.\nGive the name of a new file.')
})

test('the end of an agent, an unknown program, a bad address and a folder without recordings are said', async () => {
  const { loadout } = await aFolder()
  const env = { CODE: '3', OPENAI_BASE_URL: '' }
  const failed = await loadout(['watch', '--', process.execPath, 'agent.mjs'], env)
  expect(failed).toMatchObject({ code: 1, stderr: '' })
  expect(failed.stdout).toMatch(
    /^No request was made, so nothing was recorded\. An agent with another/,
  )
  const unknown = await loadout(['watch', '--', 'no-such-program'])
  expect(unknown).toMatchObject({ code: 2 })
  expect(unknown.stderr).toContain('"no-such-program" cannot be started')
  const empty = await loadout(['watch', '--', ''])
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('"" cannot be started') })
  const bad = await loadout(['watch'], { OPENAI_BASE_URL: 'here' })
  expect(bad.stderr).toBe('loadout: OPENAI_BASE_URL is no address.\nCorrect it, or unset it.\n')
  const plain = await loadout(['watch'], { OPENAI_BASE_URL: 'http://provider.example' })
  expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('https') })
  const taken = await loadout(['watch', '--port', new URL((await aProvider()).url).port])
  expect(taken).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^loadout: Port \d+ is taken\./),
  })
  const none = await loadout(['replay', '--log', 'recording'])
  expect(none.stderr).toBe(
    'loadout: Nothing was recorded in this folder.\nRecord an agent: loadout watch.\n',
  )
})

/** Interrupts its parent three times, ends it, and asks the model after each signal, also after its own. */
const SIGNALLING = `
  const ask = async () => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
    const headers = { 'content-type': 'application/json' }
    await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
  }
  process.on('SIGTERM', () => void ask().then(() => process.exit(0)))
  for (const signal of ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM']) {
    process.kill(process.ppid, signal)
    await ask()
  }
  setInterval(() => {}, 1_000)
`

test('an agent has each interrupt of watch and its end, and what it sends until it ends is recorded', async () => {
  const { url } = await aProvider()
  const { loadout } = await aFolder()
  const agent = ['--', process.execPath, '--input-type=module', '-e', SIGNALLING]
  const watched = await loadout(['watch', ...agent], { ANTHROPIC_BASE_URL: url })
  expect(watched).toMatchObject({ code: 0, stderr: '' })
  expect(watched.stdout).toMatch(/^5 requests recorded in /)
})

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot be made, and a disk that is full, say which option to give',
  async () => {
    const { url } = await aProvider()
    const { loadout } = await aFolder()
    const nowhere = await loadout(['watch'], { XDG_STATE_HOME: '/proc/no-such-folder' })
    expect(nowhere).toMatchObject({ code: 2, stdout: '' })
    expect(nowhere.stderr).toMatch(
      /cannot be written: ENOENT.*\nGive another file: --to agent\.jsonl\.\n$/,
    )
    const agent = ['--', process.execPath, 'agent.mjs', 'Hello.']
    const script = `ulimit -f 0; trap '' XFSZ; exec "$@"`
    const words = [process.execPath, BIN, 'watch', '--to', 'one.jsonl', ...agent]
    const { run } = await aFolder()
    const child = run(
      [
        '-e',
        `
      const { spawnSync } = require('node:child_process')
      const { status } = spawnSync('bash', ['-c', ${JSON.stringify(script)}, 'bash', ...process.argv.slice(1)], { stdio: 'inherit' })
      process.exitCode = status
    `,
        ...words,
      ],
      { ANTHROPIC_BASE_URL: url },
    )
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect(stderr).toMatch(
      /EFBIG.* requests are still passed on\. Another file is given by --to\.\n/,
    )
  },
)

test('watch ends as with an interrupt when another program ends it', async () => {
  const { run } = await aFolder()
  const watch = run([BIN, 'watch', '--to', 'one.jsonl'])
  const ended = once(watch, 'close')
  let stdout = ''
  for await (const part of watch.stdout.setEncoding('utf8')) {
    if (!stdout.includes('Ctrl-C') && (stdout + part).includes('Ctrl-C')) watch.kill('SIGTERM')
    stdout += part
  }
  expect(await ended).toEqual([0, null])
  expect(stdout).toContain('No request was made, so nothing was recorded.')
})

/** Writes what it was started with. */
const SHOWN = `#!${process.execPath}
  const { NO_PROXY, no_proxy } = process.env
  const [option, file] = process.argv.slice(2)
  const registered = {}
  if (option === '-e') {
    const { default: extend } = await import(file)
    extend({ registerProvider: (name, about) => (registered[name] = about.baseUrl) })
  }
  console.log(JSON.stringify({ NO_PROXY, no_proxy, words: process.argv.slice(2), registered }))
`

test('pi takes the addresses by an extension that is gone afterwards, and reaches them without a proxy', async () => {
  const { cwd, loadout } = await aFolder()
  await writeFile(join(cwd, 'pi'), SHOWN, { mode: 0o755 })
  const env = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'example.org' }
  const { stdout } = await loadout(['watch', '--', join(cwd, 'pi'), '-p', 'Hello.'], env)
  const shown = JSON.parse(stdout.split('\n')[0] ?? '')
  const list = 'example.org,127.0.0.1'
  expect(shown).toMatchObject({ NO_PROXY: list, no_proxy: list })
  const at = (path: string) => expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/${path}$`)
  const [, file = '', ...words] = shown.words
  expect(words).toEqual(['-p', 'Hello.'])
  expect(shown.registered).toEqual({
    anthropic: at('anthropic'),
    openai: at('openai'),
    google: at('gemini/v1beta'),
  })
  await expect(access(file)).rejects.toThrow('ENOENT')
})

test.each([
  { words: ['--', 'codex'], env: {}, says: 'not with an account of ChatGPT.\nSet OPENAI_API_KEY.' },
  { words: [], env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' }, says: 'no address of an HTTP proxy' },
])('watch $words with $env is refused', async ({ words, env, says }) => {
  const { loadout } = await aFolder()
  const refused = await loadout(['watch', ...words], env as Readonly<Record<string, string>>)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain(says)
})
