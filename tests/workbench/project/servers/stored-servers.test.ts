import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { openManifest, openProject } from 'loadout/node'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { runCommand } from '../../cli/run-command.ts'
import { skillText, temporaryFolder, type Tree } from '../temporary-folder.ts'

const SERVER = join(PROJECT, 'tests/workbench/project/servers/counted-server.mjs')

const names = Array.from({ length: 10 }, (_, at) => `s${at}`)

/** Ten skills, each with a server of 50 tools; a file gets a line for each process that is started. */
async function tenServers() {
  const cwd = await temporaryFolder({ starts: '' })
  const file = join(cwd, 'starts')
  const tree: Tree = Object.fromEntries(
    names.flatMap((name) => [
      [`skills/with-${name}/SKILL.md`, skillText(`with-${name}`)],
      [
        `skills/with-${name}/.mcp.json`,
        JSON.stringify({
          mcpServers: { [name]: { command: process.execPath, args: [SERVER, name, file] } },
        }),
      ],
    ]),
  )
  const { writeTree } = await import('../temporary-folder.ts')
  await writeTree(cwd, tree)
  const started = async () =>
    (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '').length
  return { cwd, started }
}

/** The sockets and processes of this process, by kind. */
const resources = () =>
  process.getActiveResourcesInfo().filter((one) => /TCP|Process|TLS/u.test(one)).length

test('ten stored servers with 500 tools are opened, searched, explained and priced with 0 processes and 0 sockets; the first call starts one', async () => {
  const { cwd, started } = await tenServers()
  const locked = await runCommand(['lock', '--servers', '--trust'], { cwd })
  expect([locked.code, locked.stderr]).toEqual([0, ''])
  const before = await started()
  expect(before).toBeGreaterThanOrEqual(10)
  const held = resources()

  const { catalog, diagnostics } = await openProject([], {
    project: cwd,
    home: null,
    trusted: true,
  })
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  const log = createMemoryLog()
  const discovery = { onFound: 'activate-on-call' } as const
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', discovery })
  const found = await workspace.callTool('tool_search', {
    query: 'thing number 31 of the server s7',
  })
  expect(JSON.stringify(found)).toContain('s7_tool_31')
  const explained = workspace.explain('s3_tool_9')
  expect(explained.status).toBe('skill-inactive')
  expect(explained.because.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "Skill "with-s3" has not been activated since the session opened.",
      "The server "s3" has it, by its stored listing, and comes with "with-s3".",
    ]
  `)
  expect([...catalog.skillTools.values()].flat()).toHaveLength(500)
  await workspace.beginTurn()
  expect((await workspace.beginStep()).cost.tokens.tools).toBeGreaterThan(0)
  await workspace.activateSkill('with-s1')
  expect(workspace.explain('s1_tool_0')).toMatchObject({ status: 'available', owner: 's1' })
  expect(workspace.explain('with-s1/s1_tool_0').status).toBe('available')
  expect([(await started()) - before, resources() - held]).toEqual([0, 0])

  const called = await workspace.callTool('s7_tool_31', {}, { caller: 'model' })
  expect(called).toMatchObject({ ok: true, data: 's7 did tool_31' })
  expect((await readFile(join(cwd, 'starts'), 'utf8')).split('\n').slice(before, -1)).toEqual([
    'started s7',
  ])
  await workspace.close()

  const after = await started()
  const replayed = await VirtualWorkspace.open({ catalog, log, session: 's', discovery })
  expect(replayed.explain('s7_tool_31').status).toBe('available')
  await replayed.close()
  expect(await started()).toBe(after)
})

test('search, why and prices of the command need no process either, also where nothing is trusted', async () => {
  const { cwd, started } = await tenServers()
  await runCommand(['lock', '--servers', '--trust'], { cwd })
  const before = await started()
  const found = await runCommand(['search', 'thing number 31 of the server s7'], { cwd })
  expect(found.stdout).toContain('s7_tool_31')
  const why = await runCommand(['why', 's7_tool_31'], { cwd })
  expect(why.stdout).toContain('The server "s7" has it')
  const prompt = await runCommand(['prompt', '--tokens', '--activate', 'with-s7'], { cwd })
  expect(prompt.code).toBe(0)
  expect(prompt.stdout).toContain('s7_tool_31')
  const call = await runCommand(['call', 's7_tool_31', '--activate', 'with-s7', '--yes'], { cwd })
  expect(JSON.parse(call.stdout)).toMatchObject({ ok: false, error: { type: 'UNAVAILABLE' } })
  expect(await started()).toBe(before)
})

test('a lock keeps the stored tools, refuses ones that were changed by hand, and drops those of another configuration', async () => {
  const { cwd, started } = await tenServers()
  await runCommand(['lock', '--servers', '--trust'], { cwd })
  const before = await started()
  const first = await readFile(join(cwd, 'loadout.lock'), 'utf8')
  await runCommand(['lock'], { cwd })
  expect(await readFile(join(cwd, 'loadout.lock'), 'utf8')).toBe(first)
  expect(await started()).toBe(before)
  await writeFile(join(cwd, 'loadout.lock'), first.replace('number 31 of the server s7', 'nothing'))
  const opened = () => openProject([], { project: cwd, home: null, trusted: false })
  const findings = async () =>
    (await opened()).diagnostics.filter(({ code }) => code === 'listing-outdated')
  expect(await findings()).toMatchObject([{ message: expect.stringContaining('s7_tool_31') }])
  await writeFile(join(cwd, 'loadout.lock'), first)
  const config = join(cwd, 'skills/with-s2/.mcp.json')
  await writeFile(config, (await readFile(config, 'utf8')).replace('[', '["--no-warnings",'))
  expect(await findings()).toMatchObject([{ message: expect.stringContaining('"s2"') }])
})

test('a skill on disk may ask that its stored server is connected when it is activated', async () => {
  const { cwd, started } = await tenServers()
  const file = join(cwd, 'skills/with-s5/SKILL.md')
  const metadata = 'metadata:\n  loadout.connect: activation\n---\n'
  await writeFile(file, (await readFile(file, 'utf8')).replace(/\n---\n/u, `\n${metadata}`))
  await runCommand(['lock', '--servers', '--trust'], { cwd })
  const before = await started()
  const { catalog } = await openProject([], { project: cwd, home: null, trusted: true })
  expect(catalog.skills.get('with-s5')?.connect).toBe('activation')
  const workspace = await VirtualWorkspace.open({ catalog })
  await workspace.activateSkill('with-s4')
  expect(await started()).toBe(before)
  await workspace.activateSkill('with-s5')
  expect((await readFile(join(cwd, 'starts'), 'utf8')).split('\n').slice(before, -1)).toEqual([
    'started s5',
  ])
  await workspace.close()
  const untrusted = await openProject([], { project: cwd, home: null, trusted: false })
  const closed = await VirtualWorkspace.open({ catalog: untrusted.catalog })
  expect(await closed.activateSkill('with-s4')).toMatchObject({ ok: true })
  expect(await closed.activateSkill('with-s5')).toMatchObject({
    ok: false,
    facts: { server: 's5', stage: 'SERVER_UNTRUSTED' },
  })
  expect(await started()).toBe(before + 1)
  await closed.close()
})

test('a manifest keeps servers with their stored tools, and a built folder that is trusted can start them', async () => {
  const { cwd, started } = await tenServers()
  await runCommand(['lock', '--servers', '--trust'], { cwd })
  const before = await started()
  expect(await runCommand(['build', '--trust'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const opened = await openProject([], { project: cwd, home: null, trusted: true })
  const lock = JSON.parse(await readFile(join(cwd, 'loadout.lock'), 'utf8')) as { version: string }
  const file = join(cwd, 'loadout.manifest.json')
  const { catalog } = await openManifest(file, { folder: cwd, trusted: true })
  expect([catalog.hash, lock.version]).toEqual([opened.catalog.hash, opened.catalog.hash])
  expect([...catalog.skillTools].map(([skill, tools]) => [skill, tools.length])).toEqual(
    names.map((name) => [`with-${name}`, 50]),
  )
  const workspace = await VirtualWorkspace.open({ catalog })
  await workspace.activateSkill('with-s4')
  expect(await started()).toBe(before)
  expect(await workspace.callTool('s4_tool_2', {})).toMatchObject({ data: 's4 did tool_2' })
  await workspace.close()
  const closed = await openManifest(file, { folder: cwd, trusted: false })
  expect(closed.diagnostics.filter(({ code }) => code === 'server-untrusted')).toHaveLength(10)
  const alone = await VirtualWorkspace.open({ catalog: (await openManifest(file)).catalog })
  await alone.activateSkill('with-s4')
  expect(await alone.callTool('s4_tool_2', {})).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE' },
  })
  await alone.close()
})
