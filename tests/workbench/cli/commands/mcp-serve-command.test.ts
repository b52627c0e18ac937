import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../../src/workbench/cli/main.ts'
import { temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'
import { serveStdio } from '../serve-stdio.ts'

const WORKBENCH = join(import.meta.dirname, '../../../../examples/workbench')

test('serves one client on standard input and output, with its session in the log', async () => {
  const cwd = await temporaryFolder()
  const log = join(cwd, 'sessions.sqlite')
  const argv = [WORKBENCH, '--trust', '--log', log, '--session', 'mine']
  const { result, request, end } = await serveStdio(argv, cwd)
  expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'loadout' } })
  const load = { name: 'loadSkill', arguments: { skillName: 'data-analysis' } }
  await request('tools/call', load)
  const call = {
    name: 'call_tool',
    arguments: { name: 'open_table', arguments: { text: 'a,b\n1,2', table: 't' } },
  }
  const opened = await request('tools/call', call)
  expect(opened.result).not.toHaveProperty('isError')
  const { code, lines } = await end()
  expect(code).toBe(0)
  expect(lines.every((line) => line.startsWith('{"'))).toBe(true)
  const { stdout } = await runCommand(['sessions', 'show', 'mine', '--log', log, '--json'], { cwd })
  expect(stdout).toContain('open_table')
})

test('the configuration gives the name, pinned tools and prompts', async () => {
  const cwd = await temporaryFolder()
  await writeFile(
    join(cwd, 'loadout.config.mjs'),
    `import { defineTool } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/entries/index.ts'))}
export default {
  tools: [defineTool({ name: 'ask', description: 'Asks.', category: 'utility', inputSchema: { type: 'object' },
    execute: () => 'done' })],
  discovery: { pinned: ['ask'] },
  mcp: { name: 'shop', prompts: [{ name: 'hello', get: () => 'Say hello.' }] },
}`,
  )
  const { result, request, end } = await serveStdio([cwd, '--trust'], cwd)
  expect(result).toMatchObject({ serverInfo: { name: 'shop' } })
  const { result: listed } = await request('tools/list')
  expect(JSON.stringify(listed)).toContain('"name":"ask"')
  const { result: prompts } = await request('prompts/list')
  expect(prompts).toMatchObject({ prompts: [{ name: 'hello' }] })
  expect((await end()).code).toBe(0)
})

test('with --watch, a new skill reaches the open session, and the client is notified', async () => {
  const cwd = await temporaryFolder()
  const write = async (name: string) => {
    await mkdir(join(cwd, 'skills', name), { recursive: true })
    const definition = `---\nname: ${name}\ndescription: The skill ${name}.\n---\n\nDo it: $ARGUMENTS\n`
    await writeFile(join(cwd, 'skills', name, 'SKILL.md'), definition)
  }
  await write('one')
  const { request, end, lines } = await serveStdio([join(cwd, 'skills'), '--watch'], cwd)
  await write('two')
  await expect
    .poll(() => lines.filter((line) => line.includes('notifications/prompts/list_changed')))
    .not.toEqual([])
  const { result } = await request('prompts/list')
  expect(result).toMatchObject({ prompts: [{ name: 'one' }, { name: 'two' }] })
  const load = { name: 'loadSkill', arguments: { skillName: 'two' } }
  expect((await request('tools/call', load)).result).not.toHaveProperty('isError')
  await end()
})

test('with --watch, handlers of a folder that changed leave open sessions, and new ones come when it is trusted again', async () => {
  const cwd = await temporaryFolder(
    toolTree('skills/tools/late', "export const execute = () => 'old'\n"),
  )
  const skills = join(cwd, 'skills')
  const trust = () => runCommand(['trust', skills, '--all', '--yes'], { cwd })
  expect((await trust()).code).toBe(0)
  const { request, end } = await serveStdio([skills, '--watch'], cwd, {
    trustFile: join(cwd, 'node_modules/trust.json'),
  })
  const call = async () =>
    JSON.stringify((await request('tools/call', { name: 'late', arguments: {} })).result)
  expect(await call()).toContain('old')
  const handler = join(skills, 'tools/late/handler.js')
  await writeFile(handler, "export const execute = () => 'new'\n")
  expect(await call()).toContain('unbound')
  await trust()
  await expect.poll(call).toContain('new')
  await end()
})

test('over HTTP, a Host header that is no host is answered with 400', async () => {
  const cwd = await temporaryFolder()
  const at = Promise.withResolvers<URL>()
  const interrupted = Promise.withResolvers<() => void>()
  const ended = main(['mcp', 'serve', WORKBENCH, '--http', '0'], {
    stdout: { write: () => true },
    stderr: {
      write: (text) => {
        const [url] = /http:\S+/u.exec(text) ?? []
        if (url !== undefined) at.resolve(new URL(url))
      },
    },
    stdin: new PassThrough(),
    env: {},
    cwd,
    home: null,
    isTerminal: false,
    columns: 80,
    colour: false,
    onInterrupt: (listener) => {
      interrupted.resolve(listener)
      return () => undefined
    },
    finish: () => Promise.resolve(),
  })
  const { hostname, port, pathname } = await at.promise
  for (const host of ['[', '%', 'a:99999', 'a b', '']) {
    const socket = connect(Number(port), hostname)
    socket.end(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect({ host, answer: (await text(socket)).slice(0, 12) }).toEqual({
      host,
      answer: 'HTTP/1.1 400',
    })
  }
  const interrupt = await interrupted.promise
  interrupt()
  expect(await ended).toBe(0)
})

test.each([
  ['--http', '0', '--host', '0.0.0.0'],
  ['--http', '0', '--session', 'mine'],
])('refuses %s %s %s %s', async (...argv) => {
  const cwd = await temporaryFolder()
  const { code, stderr } = await runCommand(['mcp', 'serve', WORKBENCH, ...argv], { cwd })
  expect(code).toBe(2)
  expect(stderr).toMatch(/leave/iu)
})

test('a file of JSON Lines is refused, and a SQLite file serves a client whose session is named', async () => {
  const cwd = await temporaryFolder()
  for (const more of [[], ['--http', '0'], ['--session', 'mine']]) {
    const argv = ['mcp', 'serve', WORKBENCH, '--log', 'one.jsonl', ...more]
    expect(await runCommand(argv, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give a SQLite file: --log one.sqlite.'),
    })
  }
  const file = join(cwd, 'one.sqlite')
  // A client may start the server again, as one that asks for the revision first does.
  for (let start = 0; start < 2; start += 1) {
    const { request, end } = await serveStdio([WORKBENCH, '--log', file, '--session', 'mine'], cwd)
    expect((await request('tools/list')).result).toHaveProperty('tools')
    const { code, errors } = await end()
    expect([code, errors.includes('one.sqlite')]).toEqual([0, false])
  }
})
