import {
  createCatalog,
  createMemoryApprovals,
  createMemoryLog,
  defineSkill,
  VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'
import { MemoryServer } from './servers/a-server.ts'

const MODEL = { caller: 'model' } as const

/** Control characters of a terminal, and of directions. */
const CONTROL = ['\u001B', '\u202E']

/** What a call came to: it ran, or the code of its refusal. */
async function called(workspace: VirtualWorkspace, tool: string, input: object = {}, options = {}) {
  const response = await workspace.callTool(tool, input, options)
  return response.ok ? 'ran' : response.error.details['code']
}

test('an approval that was revoked elsewhere counts no more for a tool that the step does not show', async () => {
  const approvals = createMemoryApprovals()
  const catalog = await createCatalog({
    tools: [aTool('asked', { requiresConfirmation: true }), aTool('other')],
  })
  const open = () => VirtualWorkspace.open({ catalog, approvals, metaTools: [] })
  const first = await open()
  await first.callTool('asked', {})
  await first.approve(first.state.confirmations[0]?.id ?? '', { remember: 'digest' })
  expect(await called(first, 'asked')).toBe('ran')
  await (await open()).approvals.revoke('asked')
  await first.beginStep({ activeTools: ['other'] })
  expect(await called(first, 'asked')).toBe('confirmation-required')
})

test('a resumed hook runs before a call of the host of a tool that the step does not show', async () => {
  const log = createMemoryLog()
  const runs: unknown[] = []
  const skill = aSkill('s', { onActivate: ({ resumed }) => void runs.push(resumed) })
  const catalog = await createCatalog({ skills: [skill], tools: [aTool('other')] })
  const open = () => VirtualWorkspace.open({ catalog, log, session: 'x', metaTools: [] })
  const first = await open()
  await first.activateSkill('s')
  await first.close()
  const workspace = await open()
  await workspace.beginStep({ activeTools: ['other'] })
  expect([await called(workspace, 's_tool'), runs]).toEqual(['ran', [false, true]])
})

test('a call of the host reaches a shared tool that the step does not show', async () => {
  const shared = aTool('shared')
  const skills = [aSkill('base', { tools: [shared] }), aSkill('top', { tools: [shared] })]
  const policy = { permissions: { deny: [{ skill: 'base' }] } }
  const workspace = await aWorkspace({ skills, tools: [aTool('other')] }, { policy })
  await workspace.activateSkill('base')
  await workspace.activateSkill('top')
  await workspace.beginStep({ activeTools: ['other'] })
  expect(await called(workspace, 'shared')).toBe('ran')
})

test('a model reads nothing of the error of a server, and the host does', async () => {
  const server = new MemoryServer('github', [aTool('list')])
  server.connect = () =>
    Promise.reject(new Error('spawn \u001B[31m/home/ada/run\u202E token=s3cret'))
  const workspace = await aWorkspace({
    skills: [aSkill('issues', { servers: ['github'] })],
    servers: [server],
  })
  await workspace.activateSkill('issues')
  const response = await workspace.callTool('issues_tool', {}, MODEL)
  for (const secret of ['home', 's3cret', ...CONTROL]) {
    expect(String(response.ok ? '' : response.error.message)).not.toContain(secret)
  }
  expect(JSON.stringify(workspace.explain('issues_tool'))).toContain('/home/ada/run')
})

test('the refusal of a call has no control characters, whatever a rule says', async () => {
  const when = () => {
    throw new Error('no \u001B[31mdatabase\u202E')
  }
  const policy = { permissions: { deny: [{ tool: 't', when }] } }
  const workspace = await aWorkspace({ tools: [aTool('t')] }, { policy })
  const response = await workspace.callTool('t', {}, MODEL)
  expect(response.ok ? '' : response.error.message).toMatch(/^This call of "t" is denied/u)
  for (const one of CONTROL) expect(response.ok ? '' : response.error.message).not.toContain(one)
})

test('a call of call_tool may end in every way', async () => {
  const workspace = await aWorkspace(
    { tools: [aTool('asked', { requiresConfirmation: true })] },
    { metaTools: ['call_tool'] },
  )
  const { needs, outcomes } = workspace.explain('call_tool')
  expect([needs, outcomes]).toEqual([
    ['arguments', 'ask-person'],
    ['run', 'ask', 'refuse'],
  ])
  expect(await called(workspace, 'call_tool', { name: 'asked' }, MODEL)).toBe(
    'confirmation-required',
  )
})

test.each([
  ['a check of the host', { confirmations: { loading: () => 'Who?' } }],
  ['an ask rule', { policy: { permissions: { ask: [{ tool: 'loadSkill', when: () => false }] } } }],
  [
    'a deny rule',
    { policy: { permissions: { deny: [{ tool: 'loadSkill', when: () => false }] } } },
  ],
  ['an approval', { policy: { permissions: { ask: ['loadSkill'] } } }],
])('with %s, a model loads a skill as its explanation says', async (what, options) => {
  const workspace = await aWorkspace(
    { skills: [aSkill('owls')] },
    { metaTools: ['loadSkill'], ...(options as object) },
  )
  const load = () => called(workspace, 'loadSkill', { skillName: 'owls' }, MODEL)
  if (what === 'an approval') await load()
  for (const { id } of workspace.state.confirmations) await workspace.approve(id)
  const { outcomes } = workspace.explainSkill('owls')
  expect(outcomes).toContain((await load()) === 'ran' ? 'run' : 'ask')
})

test('a list of a skill that restricts some calls leaves the questions of rules open', async () => {
  const inputSchema = { type: 'object', properties: { command: { type: 'string' } } } as const
  const skill = defineSkill({ name: 's', description: 'S.', permissions: ['Bash(git:*)'] })
  const ask = [{ tool: 'Bash', where: { command: 'git push*' } }]
  const policy = { permissions: { allowedTools: 'restrict', ask } } as const
  const workspace = await aWorkspace(
    { skills: [skill], tools: [aTool('Bash', { inputSchema })] },
    { policy },
  )
  await workspace.activateSkill('s')
  const { outcomes } = workspace.explain('Bash')
  expect(await called(workspace, 'Bash', { command: 'git push' }, MODEL)).toBe(
    'confirmation-required',
  )
  expect(outcomes).toEqual(['run', 'ask', 'refuse'])
})

test.each([{ requires: ['a'] }, { exclusive: true }])(
  'a found tool of a skill with %j is explained with the lists after its activation',
  async (more) => {
    const tools = [aTool('owl', { description: 'owl', requiresConfirmation: true })]
    const skills = [
      defineSkill({ name: 'a', description: 'A.', permissions: ['owl'] }),
      defineSkill({ name: 'b', description: 'owl', tools, ...more }),
    ]
    const policy = { permissions: { allowedTools: 'pre-approve' } } as const
    const workspace = await aWorkspace(
      { skills },
      { metaTools: ['tool_search', 'loadSkill'], discovery: {}, policy },
    )
    if ('exclusive' in more) await workspace.activateSkill('a')
    await workspace.callTool('tool_search', { query: 'owl' }, MODEL)
    const { outcomes } = workspace.explain('owl')
    expect(outcomes).toContain(
      (await called(workspace, 'owl', {}, MODEL)) === 'ran' ? 'run' : 'ask',
    )
  },
)

test('a person is not asked about a call that would activate a skill which people cannot', async () => {
  const tools = [aTool('owl', { description: 'owl', requiresConfirmation: true })]
  const skill = defineSkill({ name: 's', description: 'owl', userInvocable: false, tools })
  const workspace = await aWorkspace(
    { skills: [skill] },
    { metaTools: ['tool_search'], discovery: {} },
  )
  await workspace.callTool('tool_search', { query: 'owl' }, MODEL)
  expect(await workspace.approvals.asksAbout('owl', {}, { caller: 'user' })).toBe(false)
  expect(await called(workspace, 'owl', {}, { caller: 'user' })).toBe('skill-inactive')
})

test('a skill is explained by its display name and by an alias, as it is activated by them', async () => {
  const owls = aSkill('owl-watch', { displayName: 'Owl Watch', aliases: ['birding'] })
  const workspace = await aWorkspace({ skills: [owls] })
  for (const name of ['owl-watch', 'Owl Watch', 'birding']) {
    expect(workspace.explainSkill(name)).toMatchObject({ name: 'owl-watch', status: 'inactive' })
  }
  expect(workspace.explainSkill('bird')).toMatchObject({ name: 'bird', status: 'unknown' })
})
