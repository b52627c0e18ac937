import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  forkSession,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { openProject } from 'loadout/node'
import { runScenario } from 'loadout/testing'
import { expect, test } from 'vitest'
import { listingOf, type Lock, type LockedServer, lockText } from '../../../src/catalog/lock.ts'
import type { Rule } from '../../../src/engine/model/policy.ts'
import { temporaryFolder } from '../../workbench/project/temporary-folder.ts'
import { aSkill, aTool } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

type Rules = Partial<Readonly<Record<'deny' | 'ask', readonly Rule[]>>>

/** A server whose tools have another prefix here than its name. */
const shop = (stored = false) =>
  new MemoryServer(
    'shop',
    ['delete', 'find'].map((name) => ({ ...aTool(`store-${name}`), nameOnServer: name })),
    { stored },
  )

async function setting() {
  const skills = [aSkill('sell', { servers: ['shop'] })]
  const catalog = await createCatalog({ skills, servers: [shop()] })
  const metaTools = ['call_tool', 'tool_search', 'loadSkill'] as const
  return { catalog, metaTools: [...metaTools], log: createMemoryLog(), session: 'one' as const }
}

/** Every way in which rules come into a session, to the workspace that has them. */
const DOORS: Readonly<Record<string, (permissions: Rules) => Promise<VirtualWorkspace>>> = {
  'a session is opened': async (permissions) =>
    VirtualWorkspace.open({ ...(await setting()), policy: { permissions } }),
  'a session is opened again by its host': async (permissions) => {
    const options = await setting()
    await (await VirtualWorkspace.open(options)).close()
    return VirtualWorkspace.open({ ...options, policy: { permissions } })
  },
  'a process attaches to a session': async (permissions) => {
    const options = await setting()
    await (await VirtualWorkspace.open(options)).close()
    return VirtualWorkspace.open({ ...options, policy: { permissions, onResume: 'tighten' } })
  },
  'a session that has them is opened from its log': async (permissions) => {
    const options = await setting()
    await (await VirtualWorkspace.open({ ...options, policy: { permissions } })).close()
    return VirtualWorkspace.open(options)
  },
  'a session that has them is forked': async (permissions) => {
    const options = await setting()
    await (await VirtualWorkspace.open({ ...options, policy: { permissions } })).close()
    const { log, session } = options
    await forkSession(log, { from: session, to: 'two' })
    return VirtualWorkspace.open({ ...options, session: 'two' })
  },
  'permissions are set': async (permissions) => {
    const workspace = await VirtualWorkspace.open(await setting())
    await workspace.setPermissions(permissions)
    return workspace
  },
  'a catalog is taken with permissions': async (permissions) => {
    const workspace = await VirtualWorkspace.open(await setting())
    await workspace.takeCatalog(workspace.catalog, { permissions })
    return workspace
  },
  'a child session is opened with them': async (permissions) => {
    const parent = await VirtualWorkspace.open(await setting())
    return parent.sessions.child({ policy: { permissions } })
  },
  'a child session is opened below them': async (permissions) => {
    const parent = await VirtualWorkspace.open({ ...(await setting()), policy: { permissions } })
    return parent.sessions.child({})
  },
  'a configuration of JSON that is not trusted': async (permissions) => {
    const text = JSON.stringify({ permissions })
    const folder = await temporaryFolder({ 'loadout.config.json': text })
    const { config } = await openProject(folder)
    return VirtualWorkspace.open({
      ...(await setting()),
      policy: { permissions: config.permissions },
    })
  },
  'a configuration of code': async (permissions) => {
    const text = `export default { permissions: ${JSON.stringify(permissions)} }`
    const folder = await temporaryFolder({ 'loadout.config.ts': text })
    const { config } = await openProject(folder, { trusted: true })
    return VirtualWorkspace.open({
      ...(await setting()),
      policy: { permissions: config.permissions },
    })
  },
}

const doors = Object.keys(DOORS)

const through = (door: string, rules: Rules) => DOORS[door]?.(rules) as Promise<VirtualWorkspace>

const model = { caller: 'model' } as const

test.each(
  doors.flatMap((door) => ['mcp__shop', 'mcp__shop__del*'].map((rule) => ({ door, rule }))),
)('a tool of a server is denied by $rule when $door', async ({ door, rule }) => {
  const workspace = await through(door, { deny: [{ tool: rule }] })
  await workspace.activateSkill('sell')
  const table = workspace.tools().find(({ name }) => name === 'store-delete')
  expect(table?.status).toBe('denied')
  expect(workspace.getAvailableTools().map(({ name }) => name)).not.toContain('store-delete')
  const { status, because } = workspace.explain('store-delete')
  expect([status, because.at(-1)?.text]).toEqual(['denied', expect.stringContaining(rule)])
  const denied = { ok: false, error: { type: 'DENIED' } }
  expect(await workspace.callTool('store-delete', {}, model)).toMatchObject(denied)
  const bridged = { name: 'store-delete', arguments: {} }
  expect(await workspace.callTool('call_tool', bridged, model)).toMatchObject(denied)
  const found = await workspace.callTool('tool_search', { query: 'store delete' }, model)
  expect(JSON.stringify(found)).not.toContain('store-delete')
  expect(workspace.explain('store-find').status).toBe(rule === 'mcp__shop' ? 'denied' : 'available')
  await workspace.close()
})

test.each(doors)('a person is asked about a tool of a server when %s', async (door) => {
  const workspace = await through(door, { ask: ['mcp__shop__delete'] })
  await workspace.activateSkill('sell')
  expect(await workspace.approvals.asksAbout('store-delete', {})).toBe(true)
  expect(await workspace.approvals.asksAbout('store-find', {})).toBe(false)
  const table = workspace.tools().find(({ name }) => name === 'store-delete')
  expect(table).toMatchObject({ status: 'available', asks: true })
  expect(workspace.explain('store-delete').because.at(-1)?.text).toContain('mcp__shop__delete')
  const asked = { ok: false, error: { type: 'CONFIRMATION_REQUIRED' } }
  expect(await workspace.callTool('store-delete', {}, model)).toMatchObject(asked)
  const bridged = { name: 'store-delete', arguments: {} }
  expect(await workspace.callTool('call_tool', bridged, model)).toMatchObject(asked)
  await workspace.close()
})

test('a rule of a scenario denies a tool of a server', async () => {
  const { catalog } = await setting()
  const call = { call: 'store-delete', with: {}, expect: { error: 'DENIED' } } as const
  const steps = [{ activate: 'sell' }, call]
  const rules = { deny: ['mcp__shop__delete'] }
  const { steps: judged } = await runScenario({ scenario: 1, name: 'a', rules, steps }, { catalog })
  expect(judged.flatMap(({ unmet }) => unmet)).toEqual([])
})

/** The ways in which a host gives rules; the others have only what a session took before. */
const given = doors.filter((door) => !/^a session that has them|below them$/u.test(door))

test.each([...given, 'a session that has them is opened from its log'])(
  'a rule that can match nothing is refused when %s',
  async (door) => {
    for (const list of ['deny', 'ask'] as const) {
      await expect(through(door, { [list]: ['mcp__shop__delete(*)'] })).rejects.toMatchObject({
        code: 'POLICY_INVALID',
        message: `The policy is not valid: ${list}.0 can match nothing: "*" is no part of a name.`,
        hint: 'Write "mcp__shop__delete" for all calls.',
        facts: { issues: [{ path: `${list}.0` }] },
      })
    }
  },
)

test('a session whose log has a rule that can match nothing opens, and its rules can be given back', async () => {
  const options = await setting()
  const { log, session } = options
  await (
    await VirtualWorkspace.open({ ...options, policy: { permissions: { deny: ['x'] } } })
  ).close()
  // An earlier version took such a rule.
  const entries = JSON.stringify(await log.read(session)).replaceAll('"x"', '"Bash(rm:*)"')
  const old = createMemoryLog()
  await old.append('one', 0, JSON.parse(entries))
  const workspace = await VirtualWorkspace.open({ ...options, log: old })
  const { deny } = workspace.state.policy
  expect(deny).toEqual(['Bash(rm:*)'])
  await workspace.setPermissions({ deny: [...deny, 'mcp__shop'] })
  await workspace.activateSkill('sell')
  expect(workspace.explain('store-delete').status).toBe('denied')
  await expect(workspace.setPermissions({ ask: ['Bash(rm:*)'] })).rejects.toMatchObject({
    code: 'POLICY_INVALID',
  })
  await workspace.close()
})

test('a rule holds for a server that is attached later, and for tools that it gets later', async () => {
  const { catalog } = await setting()
  const permissions = { deny: ['mcp__late__*del*', 'not_here'] }
  const workspace = await VirtualWorkspace.open({ catalog, policy: { permissions } })
  const server = new MemoryServer('late', [aTool('late_find')])
  await workspace.attach(server)
  expect(workspace.explain('late_find').status).toBe('available')
  server.change([aTool('late_find'), aTool('late_delete')])
  await expect.poll(() => workspace.explain('late_delete').status).toBe('denied')
  await workspace.registerTool(aTool('not_here'))
  expect(workspace.explain('not_here').status).toBe('denied')
  await workspace.close()
})

test('agents, modes and searches understand the form, too', async () => {
  const { catalog } = await setting()
  const agent = defineAgent({
    name: 'a',
    skills: ['sell'],
    tools: ['mcp__shop__find', 'sell_tool'],
  })
  const mode = { mode: 'm', modes: { m: { tools: ['mcp__shop__find'] } } }
  const statuses = async (options: Omit<WorkspaceOptions, 'catalog'>) => {
    const workspace = await VirtualWorkspace.open({ catalog, ...options })
    await workspace.activateSkill('sell')
    const found = ['store-find', 'store-delete'].map((name) => workspace.explain(name).status)
    await workspace.close()
    return found
  }
  expect(await statuses({ agent })).toEqual(['available', 'not-exposed'])
  expect(await statuses({ policy: mode })).toEqual(['available', 'blocked-by-mode'])
})

test('a model may call a tool of a server by the name that Claude Code has for it', async () => {
  const permissions = { deny: ['mcp__shop__delete'] }
  const workspace = await VirtualWorkspace.open({ ...(await setting()), policy: { permissions } })
  await workspace.activateSkill('sell')
  const called = await workspace.callTool('mcp__shop__find', {}, model)
  expect(called).toMatchObject({ ok: true, data: 'shop did store-find' })
  const denied = { ok: false, error: { type: 'DENIED' } }
  expect(await workspace.callTool('mcp__shop__delete', {}, model)).toMatchObject(denied)
  await workspace.close()
})

test('that name is explained for a tool of a stored listing before its skill is active', async () => {
  const skills = [aSkill('sell', { servers: ['shop'] })]
  const catalog = await createCatalog({ skills, servers: [shop(true)] })
  const workspace = await VirtualWorkspace.open({ catalog })
  expect(await workspace.callTool('mcp__shop__find', {}, model)).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', details: { tool: 'store-find', code: 'skill-inactive' } },
  })
  expect(workspace.explain('mcp__shop__find').status).toBe('skill-inactive')
  expect(workspace.explain('mcp__shop__other').status).toBe('unknown')
  await workspace.close()
})

test('a stored listing keeps the names that a server has for its tools', async () => {
  const [server] = [shop(true)]
  const locked = { name: server.name, hash: server.hash, tools: server.tools }
  const text = lockText({
    format: 1,
    version: server.hash,
    skills: [],
    files: [],
    servers: [locked],
  })
  const [read] = (JSON.parse(text) as Lock).servers ?? []
  expect(listingOf(read as LockedServer).tools.map(({ nameOnServer }) => nameOnServer)).toEqual([
    'delete',
    'find',
  ])
})
