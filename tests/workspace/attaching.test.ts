import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineComponent,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { attaching } from '../../scripts/torture/attaching.ts'
import { holds } from '../torture/holds.ts'
import { aSkill, aTool } from './a-workspace.ts'

type PolicyOptions = NonNullable<WorkspaceOptions['policy']>

const catalog = await createCatalog({
  tools: [aTool('send_mail'), aTool('delete_page'), aTool('read')],
})

const strict: PolicyOptions = {
  mode: 'text',
  permissions: { deny: ['send_mail', '*delete*'], ask: ['*'] },
}

/** A session of a host with strict rules, opened by a second process. */
async function attach(policy: PolicyOptions | undefined) {
  const shared = { catalog, log: createMemoryLog(), session: 's', metaTools: [] }
  const host = await VirtualWorkspace.open({ ...shared, policy: strict, follow: true })
  const before = host.state
  const other = await VirtualWorkspace.open({ ...shared, ...(policy && { policy }) })
  await host.callTool('read', {})
  return { host, other, before }
}

test('a process never lets an agent do more, whatever its rules and those of the host are', async () => {
  const { figures } = await holds(attaching, 0.003)
  expect(figures['of them, calls that were tightened']).not.toBe(0)
})

test.each<{ policy: PolicyOptions | undefined }>([
  { policy: undefined },
  { policy: {} },
  { policy: { permissions: {} } },
  { policy: { permissions: { deny: undefined as never } } },
  { policy: { onResume: 'tighten', permissions: {} } },
  { policy: { onResume: 'tighten', permissions: { deny: [], ask: [], allow: ['*'] } } },
  { policy: { onResume: 'tighten', permissions: { deny: ['send_mail'] } } },
  { policy: { onResume: 'tighten', mode: 'voice', callsPerTurn: {} } },
])('a session opened with $policy keeps its policy', async ({ policy }) => {
  const { host, other, before } = await attach(policy)
  expect(host.state.policy).toEqual(before.policy)
  expect(host.explain('send_mail').status).toBe('denied')
  expect(other.notices).toEqual([])
})

test('rules of a process that attaches are added to those of the host, with a notice', async () => {
  const { host, other } = await attach({
    onResume: 'tighten',
    permissions: { deny: ['read', 'send_mail'], ask: [{ risk: 'destructive' }], allow: ['read'] },
  })
  expect(host.state.policy).toMatchObject({
    deny: ['send_mail', '*delete*', 'read'],
    ask: ['*', { risk: 'destructive' }],
    allow: [],
  })
  expect(other.notices).toMatchObject([{ code: 'policy-tightened' }])
  expect(other.notices[0]?.message).toMatchInlineSnapshot(
    `"Rules were added to the policy of the session, which now denies "read"; asks first for risk destructive."`,
  )
})

test('a host that opens its session with looser rules is given the difference', async () => {
  const { host, other } = await attach({
    mode: 'voice',
    permissions: { deny: ['*delete*', 'x'], ask: [], allow: [{ tool: 'read' }] },
    callsPerTurn: {},
  })
  expect(host.state.policy).toMatchObject({ deny: ['*delete*', 'x'], ask: [] })
  expect(other.notices).toMatchObject([{ code: 'policy-loosened' }])
  expect(other.notices[0]?.message).toMatchInlineSnapshot(
    `"The policy of the session was loosened: the session no longer denies "send_mail"; no longer asks first for "*"; lets "read" run unasked; no longer limits the retrieval calls of a turn to 5."`,
  )
})

test('commands of a process that attached may tighten the policy, and never loosen it', async () => {
  const { other, host } = await attach({ onResume: 'tighten' })
  const loosened = { code: 'POLICY_LOOSENED', facts: { lifted: expect.any(Array) } }
  await expect(other.setPermissions({ deny: [] })).rejects.toMatchObject(loosened)
  await expect(other.setPermissions({ allow: ['*'] })).rejects.toMatchObject(loosened)
  expect(host.explain('send_mail').status).toBe('denied')
  const { deny } = other.state.policy
  expect(await other.setPermissions({ deny: [...deny, 'read'] })).toMatchObject({ ok: true })
  expect(other.explain('read').status).toBe('denied')
  expect(await host.setPermissions({ deny: [] })).toMatchObject({ ok: true })
})

test('rules that are only tightened by the host are no notice', async () => {
  const { other } = await attach({ permissions: { deny: ['send_mail', '*delete*', 'read'] } })
  expect(other.notices).toEqual([])
})

test('lists that a host gave are its own: changing them changes nothing', async () => {
  const deny = ['send_mail']
  const workspace = await VirtualWorkspace.open({ catalog, policy: { permissions: { deny } } })
  deny.length = 0
  expect(workspace.explain('send_mail').status).toBe('denied')
})

test('a process that attaches activates no initial skills of its own agent', async () => {
  const skills = [aSkill('alpha'), aSkill('vault')]
  const own = defineAgent({ name: 'clerk', skills: ['alpha'] })
  const other = defineAgent({ name: 'clerk', initialSkills: ['vault'] })
  const shared = { log: createMemoryLog(), session: 's', agent: 'clerk' }
  const host = await VirtualWorkspace.open({
    ...shared,
    catalog: await createCatalog({ skills, agents: [own] }),
  })
  await VirtualWorkspace.open({
    ...shared,
    catalog: await createCatalog({ skills, agents: [other] }),
    policy: { onResume: 'tighten' },
  })
  await host.setSummary(null)
  expect(host.explainSkill('vault').status).not.toBe('active')
})

const panel = (key: string, tool: string) =>
  defineComponent({
    key,
    initialState: {},
    tools: [aTool(tool)],
    panel: () => ({ title: key, lines: [] }),
  })

/** Another project: more tools, another definition of a shared one, another panel, meta-tools and discovery. */
const elsewhere = await createCatalog({
  tools: [aTool('send_mail'), aTool('read', { description: 'Read otherwise.' }), aTool('extra')],
  components: [panel('board', 'draw')],
})

test('a process that attaches registers nothing, and says which of its tools the session lacks', async () => {
  const shared = { log: createMemoryLog(), session: 's' }
  const host = await VirtualWorkspace.open({ ...shared, catalog, metaTools: [], follow: true })
  const seen = () => [host.tools(), host.state.open.map(({ claims }) => claims)]
  const before = seen()
  const prompt = host.prompt().text
  const attached = await VirtualWorkspace.open({
    ...shared,
    discovery: {},
    components: [panel('notes', 'note')],
    catalog: elsewhere,
    policy: { onResume: 'tighten' },
  })
  await host.beginTurn()
  expect(seen()).toEqual(before)
  expect(host.prompt().text).toBe(prompt)
  expect(attached.notices).toMatchObject([{ code: 'tools-not-registered' }])
  expect(attached.notices[0]?.message).toMatchInlineSnapshot(
    `"The host of the session has not registered these tools with their definitions here: "draw", "note", "extra", "read"."`,
  )
  const notices = await attached.takeCatalog(await createCatalog({ tools: [aTool('more')] }))
  expect(notices).toMatchObject([{ code: 'tools-not-registered' }])
  await host.beginTurn()
  expect(seen()).toEqual(before)
  expect(attached.catalog.sharedTools.has('more')).toBe(true)
  expect(await attached.callTool('delete_page', {})).toMatchObject({ ok: false })
})

test('a process that opens a new session is its host, also one that attaches to stored ones', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog,
    policy: { ...strict, onResume: 'tighten' },
  })
  expect(await workspace.setPermissions({ deny: [] })).toMatchObject({ ok: true })
  await workspace.takeCatalog(elsewhere)
  expect(workspace.isToolAvailable('extra')).toBe(true)
})
