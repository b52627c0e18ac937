import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VirtualWorkspace } from 'loadout'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { aSkill, available, aWorkspace } from '../../../workspace/a-workspace.ts'

const ACTIVATIONS = 10

/** A file with the fault of the next start in its first line, and below it the processes that were started. */
async function notedFault() {
  const file = join(await temporaryFolder(), 'fault')
  const started = () => readFileSync(file, 'utf8').split('\n').slice(1, -1).map(Number)
  const set = (fault: string) => writeFileSync(file, [fault, ...started(), ''].join('\n'))
  writeFileSync(file, 'two-pages\n')
  return { file, set, started, running: () => started().filter(isRunning) }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const aServer = (file: string, more: Partial<McpServerOptions>) =>
  mcpServer({
    name: 'h',
    command: process.execPath,
    args: ['tests/connections/mcp/client/hostile-server.mjs', 'as-noted', file],
    revision: '2025-11-25',
    graceMs: 1,
    ...more,
  })

/** The stored tools of a server, as an earlier process would list them. */
async function storedTools(file: string) {
  const host = {
    signal: new AbortController().signal,
    onListing: () => undefined,
    onLost: () => undefined,
  }
  const connection = await aServer(file, {}).connect(host)
  await connection.close()
  return connection.listing
}

/** All that an activation may change. */
const stateOf = (workspace: VirtualWorkspace) => ({
  tools: available(workspace),
  open: workspace.state.open.map(({ source, owner }) => `${source} ${owner}`),
  pending: workspace.store.getState().pending,
  ofSkills: workspace.skillManager.getActiveSkillTools().map(({ name }) => name),
  isOfSkill: workspace.skillManager.isToolFromActiveSkill('h_better'),
  box: workspace.renderSkillToolsSection(),
})

const ON = ['k_tool', 'h_good', 'h_better']

/** The ways in which connecting is a part of the activation. */
const REASONS = [
  { isStored: false, server: {}, skill: {} },
  { isStored: true, server: { connect: 'activation' }, skill: {} },
  { isStored: true, server: {}, skill: { connect: 'activation' } },
] as const

test.each([
  { fault: 'exits-at-once', stage: 'SERVER_EXITED' },
  { fault: 'prints-for-people', stage: 'SERVER_PRINTS' },
  { fault: 'silent-at-the-start', stage: 'SERVER_SILENT' },
  { fault: 'refuses-to-start', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'another-revision', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'another-name', stage: 'SERVER_CHANGED' },
  { fault: 'silent-list', stage: 'SERVER_SILENT' },
  { fault: 'refuses-to-list', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'exits-at-the-list', stage: 'SERVER_EXITED' },
  { fault: 'list-of-another-shape', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'silent-second-page', stage: 'SERVER_SILENT' },
  { fault: 'refuses-second-page', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'exits-at-second-page', stage: 'SERVER_EXITED' },
])(
  `${ACTIVATIONS} activations with a server that fails ($fault) change nothing, and the next one is complete`,
  async ({ fault, stage }) => {
    const listing = await storedTools((await notedFault()).file)
    // A server that hangs is given up at the limit; the others fail by themselves.
    const limit = stage === 'SERVER_SILENT' ? { connectTimeoutMs: 3_000 } : {}
    let failed = 0
    const lives = REASONS.map(async ({ isStored, server, skill }, at) => {
      const { file, set, started, running } = await notedFault()
      const servers = [aServer(file, { ...limit, ...server, ...(isStored && { listing }) })]
      const skills = [aSkill('k', { servers: ['h'], ...skill })]
      const workspace = await aWorkspace({ skills, servers })
      const before = stateOf(workspace)
      if (stage === 'SERVER_CHANGED') {
        expect(await workspace.activateSkill('k')).toMatchObject({ ok: true })
        await workspace.deactivateSkill('k')
        await expect.poll(running).toEqual([])
      }
      set(fault)
      for (let round = at; round < ACTIVATIONS; round += REASONS.length) {
        const { seq } = workspace.state
        const outcome = await workspace.activateSkill('k')
        expect(outcome).toMatchObject({ ok: false, facts: { server: 'h', stage } })
        expect([stateOf(workspace), running()]).toEqual([before, []])
        const entries = await workspace.entries(seq + 1)
        expect(entries.map(({ event }) => event.type)).toEqual(['activation.failed'])
        failed += 1
      }
      set('two-pages')
      const starts = started().length
      expect(await workspace.activateSkill('k')).toMatchObject({ ok: true })
      const after = stateOf(workspace)
      expect([after.tools, after.ofSkills, after.isOfSkill]).toEqual([ON, ON, true])
      expect(after.box).toContain('h_better')
      expect(await workspace.callTool('h_better', {})).toMatchObject({ ok: true, data: 'good' })
      expect([started().length - starts, running()]).toEqual([1, started().slice(-1)])
      await workspace.deactivateSkill('k')
      await expect.poll(running).toEqual([])
      expect(stateOf(workspace)).toEqual(before)
      await workspace.close()
    })
    await Promise.all(lives)
    expect(failed).toBe(ACTIVATIONS)
  },
)

test('of two servers, the first of which answers and the second does not, neither stays', async () => {
  const [good, bad] = [await notedFault(), await notedFault()]
  bad.set('refuses-second-page')
  const workspace = await aWorkspace({
    skills: [
      aSkill('base', { servers: ['h'] }),
      aSkill('top', { requires: ['base'], servers: ['g'] }),
    ],
    servers: [aServer(good.file, {}), aServer(bad.file, { name: 'g' })],
  })
  const before = stateOf(workspace)
  const outcome = await workspace.activateSkill('top')
  expect(outcome).toMatchObject({ ok: false, facts: { skill: 'top', server: 'g' } })
  expect(good.started()).toHaveLength(1)
  await expect.poll(() => [good.running(), bad.running()]).toEqual([[], []])
  expect(stateOf(workspace)).toEqual(before)
  bad.set('two-pages')
  expect(await workspace.activateSkill('top')).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual([
    'base_tool',
    'top_tool',
    'h_good',
    'h_better',
    'g_good',
    'g_better',
  ])
  await workspace.close()
})

test('the process of a server ends after the last skill has left and its grace time, and not before', async () => {
  const [short, long] = [await notedFault(), await notedFault()]
  const both = { servers: ['h', 'g'] }
  const workspace = await aWorkspace({
    skills: [aSkill('one', both), aSkill('two', both)],
    servers: [aServer(short.file, {}), aServer(long.file, { name: 'g', graceMs: 600_000 })],
  })
  await workspace.activateSkill('one')
  await workspace.activateSkill('two')
  await workspace.deactivateSkill('one')
  expect(await workspace.callTool('h_good', {})).toMatchObject({ ok: true })
  expect([short.running(), long.running()]).toEqual([short.started(), long.started()])
  await workspace.deactivateSkill('two')
  expect(workspace.explain('h_good').fix).toBe('Activate the skill "two".')
  await expect.poll(short.running).toEqual([])
  expect(long.running()).toEqual(long.started())
  await workspace.activateSkill('one')
  expect(await workspace.callTool('g_good', {})).toMatchObject({ ok: true })
  expect([short.started().length, long.started().length]).toEqual([2, 1])
  await workspace.close()
  expect([short.running(), long.running()]).toEqual([[], []])
})
