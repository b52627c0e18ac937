import { join } from 'node:path'
import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineComponent,
  defineSkill,
  defineTool,
  type Entry,
  type EventLog,
  recordedOptions,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Verdict } from '../../../src/engine/explain/verdict.ts'
import type { PromptReport } from '../../../src/workbench/cli/commands/prompt-command.ts'
import { logAlone } from '../../../scripts/torture/log-alone.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { holds } from '../../torture/holds.ts'
import { runCommand } from './run-command.ts'
import { storedDefinition } from '../../../src/connections/logs/contract/event-log-case.ts'

const stock = defineTool({
  name: 'order_stock',
  description: 'Order articles from the supplier.',
  inputSchema: z.object({ article: z.string() }),
  execute: () => 'ordered',
})

const purchasing = defineSkill({
  name: 'purchasing',
  description: 'Buys what the shop needs. Ask before large orders.',
  instructions: 'Order at most a hundred.',
  tools: [stock],
})

const clerk = defineAgent({
  name: 'clerk',
  prompt: 'You run {{ SHOP }}.',
  initialSkills: ['hello'],
})

const notes = defineComponent({
  key: 'notes',
  initialState: { lines: ['Buy milk.'] },
  tools: [],
  panel: ({ lines }) => ({ title: 'Notes', lines }),
})

const hello = defineSkill({ name: 'hello', description: 'Greets.', instructions: 'Say hello.' })

const catalog = await createCatalog({
  skills: [hello, purchasing],
  agents: [clerk],
  components: [notes],
})

/** A session of a host whose skills are in code. */
async function hostOf(log: EventLog, options: Partial<WorkspaceOptions> = {}) {
  const host = await VirtualWorkspace.open({
    catalog,
    log,
    session: 's',
    agent: 'clerk',
    ...options,
  })
  await host.beginStep()
  return host
}

async function sqliteSession(options: Partial<WorkspaceOptions> = {}) {
  const cwd = await temporaryFolder({ 'package.json': '{}' })
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const host = await hostOf(log, options)
  await host.close()
  await log.close()
  return { cwd, host }
}

test('the command on the log alone answers as the workspace of the host, in random sessions', async () => {
  const { figures } = await holds(logAlone, 0.01)
  expect(figures['answers that were compared']).toBeGreaterThan(30)
})

test.each(['loadTool', 'weigh'])(
  '%s, which is sent from the start and is on again after a step, is not said to be found by search',
  async (name) => {
    const cwd = await temporaryFolder({ 'package.json': '{}' })
    const log = await openSqliteLog(join(cwd, 'run.sqlite'))
    const weigh = defineTool({ name: 'weigh', description: 'Weigh a thing.', execute: () => 1 })
    const host = await hostOf(log, { tools: [weigh], discovery: { pinned: ['weigh'] } })
    await host.setToolEnabled(name, false)
    await host.beginStep()
    await host.setToolEnabled(name, true)
    const { because } = host.explain(name)
    await host.close()
    await log.close()
    expect(because.map(({ text }) => text)).toContain('The request of step 2 did not carry it.')
    const why = await runCommand(['why', name, '--log', 'run.sqlite', '--json'], { cwd })
    expect(JSON.parse(why.stdout)).toMatchObject({ because })
  },
)

test('a condition of a tool is said on the log alone, before and after it answered a call', async () => {
  const cwd = await temporaryFolder({ 'package.json': '{}' })
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const read = defineTool({
    name: 'read',
    description: 'Read a file.',
    inputSchema: z.object({ path: z.string() }),
    requiresConfirmation: ({ path }) => path.endsWith('.env'),
    execute: ({ path }) => path,
  })
  const host = await hostOf(log, { tools: [read] })
  const why = async (session = 's') => {
    const words = ['why', 'read', '--log', 'run.sqlite', '--session', session, '--json']
    const { stdout } = await runCommand(words, { cwd })
    return (JSON.parse(stdout) as Verdict).because
  }
  const { because } = host.explain('read')
  expect(because.at(-1)?.text).toBe(
    'Its definition asks for a confirmation of the calls that its condition names.',
  )
  expect(await why()).toEqual(because)
  expect(await host.callTool('read', { path: 'a.ts' })).toMatchObject({ ok: true })
  expect(await why()).toEqual(because)
  // Earlier versions recorded the answers of a condition, and not that a tool has one.
  const text = JSON.stringify(await log.read('s'))
  const earlier = text
    .replaceAll(',"conditional":true', '')
    .replaceAll('"session":"s"', '"session":"t"')
  expect(earlier.length).toBeLessThan(text.length)
  await log.append('t', 0, JSON.parse(earlier) as Entry[])
  await host.close()
  await log.close()
  expect(await why('t')).toEqual(because)
})

test('a skill in code that was never activated is explained and listed', async () => {
  const { cwd, host } = await sqliteSession()
  const run = (...words: string[]) => runCommand([...words, '--log', 'run.sqlite'], { cwd })
  const why = await run('why', 'order_stock')
  expect(why.stdout).toMatchInlineSnapshot(`
    "order_stock (tool): skill-inactive
    from: skill purchasing
      #0 Skill "purchasing" has not been activated since the session opened.
    fix: Activate the skill "purchasing".
    shown to the model in no request of 1
    "
  `)
  expect(why.stderr).toMatchInlineSnapshot(`
    "warning: The definitions are those of the log. It has no panels, no values of variables, and no texts or schemas of skills that were never active.
      Give the folder of the agent, with --trust if it has a loadout.config.ts, to see all of them.
    "
  `)
  expect((await run('skills')).stdout).toMatchInlineSnapshot(`
    "SKILL       STATUS    TOOLS  TOKENS  DESCRIPTION
    hello       active    0      11      Greets.
    purchasing  inactive  1      ?       Buys what the shop needs. Ask before large orders.
    request 387 tokens = instructions 125 + tools 241 + conversation 21 (compatible, active, o200k_base), nothing cached below 1,024
    "
  `)
  expect((await run('tools')).stdout).toContain('order_stock')
  expect((await run('show', 'skill', 'purchasing')).stdout).toMatchInlineSnapshot(`
    "skill purchasing (the log has only its description)
      version: 1.0.0
      lifetime: session
      onConflict: refuse
      displayName: Purchasing
      description: Buys what the shop needs. Ask before large orders.
      hash: sha256:eec440a2068e1e07481f9945c4a1dbc8dfa0a9aab2749c893bb9a911a15a6803
      tools:
        order_stock
    "
  `)
  const play = await run('play')
  expect(play.stdout).toContain('purchasing')
  const prompt = await run('prompt', '--var', 'SHOP=the shop')
  expect(prompt.stdout).toContain('Buys what the shop needs.')
  expect(prompt.stdout).toContain('Say hello.')
  expect(prompt.stdout).not.toContain('Buy milk.')
  expect(host.prompt().text).toContain('Buy milk.')
})

test('prompt --json on a log says which variables have no value', async () => {
  const { cwd } = await sqliteSession({ variables: { SHOP: 'the shop' } })
  const notes = async (...more: string[]) => {
    const { stdout } = await runCommand(['prompt', '--log', 'run.sqlite', '--json', ...more], {
      cwd,
    })
    return (JSON.parse(stdout) as PromptReport).notes
  }
  expect(await notes()).toMatchObject([
    { code: 'variable-unknown', section: 'agent-prompt', message: expect.stringContaining('SHOP') },
  ])
  expect(await notes('--var', 'SHOP=the shop')).toEqual([])
})

test('definitions at hand complete those of the log by their hashes', async () => {
  const { cwd, host } = await sqliteSession()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'), { readOnly: true })
  const other = await createCatalog({ skills: [purchasing], components: [notes] })
  const entries = await log.read('s')
  const recorded = await recordedOptions(log, entries, other)
  expect(recorded?.catalog.skills.get('purchasing')?.instructions).toContain('hundred')
  const view = await VirtualWorkspace.open({
    ...(recorded as NonNullable<typeof recorded>),
    log,
    session: 's',
    readOnly: true,
  })
  expect(view.prompt().text).toBe(host.prompt().text)
  await log.close()
})

const LOGS: Readonly<Record<string, (folder: string) => Promise<EventLog>>> = {
  memory: async () => createMemoryLog(),
  sqlite: (folder) => openSqliteLog(join(folder, 'run.sqlite')),
}

describe.each(Object.keys(LOGS))('in a log in %s', (kind) => {
  test('the listing of a catalog is stored once, and the opening entry stays small', async () => {
    const log = await (LOGS[kind] as (folder: string) => Promise<EventLog>)(await temporaryFolder())
    const skills = Array.from({ length: 300 }, (_, index) =>
      defineSkill({ name: `skill-${index}`, description: `For ${index}.`, tools: [stock] }),
    )
    const large = await createCatalog({ skills })
    await VirtualWorkspace.open({ catalog: large, log, session: 's' })
    const [opening] = await log.read('s')
    expect(JSON.stringify(opening).length).toBeLessThanOrEqual(2_000)
    expect(await log.definitions.has(large.hash)).toBe(true)
    expect(JSON.stringify(await storedDefinition(log, large.hash))).toContain('skill-299')
    if ('close' in log && typeof log.close === 'function') await log.close()
  })
})

test('the price of a skill is not known where the log lacks a definition of one of its tools', async () => {
  const cwd = await temporaryFolder({ 'package.json': '{}' })
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const rival = defineSkill({
    name: 'rival',
    description: 'Greets otherwise.',
    instructions: 'Say goodbye.',
    conflicts: ['hello'],
    tools: ['order_stock'],
  })
  const agent = defineAgent({ name: 'both', prompt: 'Work.', initialSkills: ['hello', 'rival'] })
  const host = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [hello, rival], tools: [stock], agents: [agent] }),
    log,
    session: 's',
    agent,
  })
  await host.close()
  await log.close()
  const { stdout } = await runCommand(['skills', '--log', 'run.sqlite', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'hello', status: 'active', tokens: 11 },
    { name: 'rival', status: 'conflicting', tokens: null },
  ])
})
