import {
  createCatalog,
  defineSkill,
  type Skill,
  type VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { aTool, aWorkspace } from './a-workspace.ts'

const owls = defineSkill({
  name: 'owls',
  displayName: 'Night owls',
  description: 'Find owls at night.',
  requires: ['mice'],
  tools: [aTool('look', { description: 'Look for owls at night.' })],
})
const mice = defineSkill({ name: 'mice', description: 'Find mice.' })
const cats = defineSkill({ name: 'cats', description: 'Find cats.' })

const META = { metaTools: ['loadSkill', 'tool_search'] } as const

function asking(
  names: readonly string[],
  more: Partial<WorkspaceOptions> = {},
): Promise<VirtualWorkspace> {
  const loading = ({ name }: Skill) =>
    names.includes(name) ? `Who wrote ${name}?\nNobody knows.` : null
  return aWorkspace(
    { skills: [owls, mice, cats] },
    { ...META, confirmations: { loading }, ...more },
  )
}

const load = (workspace: VirtualWorkspace, skillName: string) =>
  workspace.callTool('loadSkill', { skillName }, { caller: 'model' })

const active = ({ state }: VirtualWorkspace) =>
  state.open.filter(({ source }) => source === 'skill').map(({ owner }) => owner)

test.each([
  { asks: ['owls'], name: 'owls' },
  { asks: ['owls'], name: 'Night owls' },
  { asks: ['mice'], name: 'owls' },
])('loadSkill of "$name" asks a person about $asks', async ({ asks, name }) => {
  const workspace = await asking(asks)
  expect(await load(workspace, name)).toMatchObject({
    error: {
      type: 'CONFIRMATION_REQUIRED',
      details: { preview: { kind: 'text', text: 'Nobody knows.' } },
    },
  })
  expect(active(workspace)).toEqual([])
  const [question] = workspace.state.confirmations
  expect(question?.condition).toMatchObject({ asks: true, reason: `Who wrote ${asks[0]}?` })
  await workspace.approve(question?.id ?? '', { by: 'user' })
  expect(await load(workspace, name)).toMatchObject({ ok: true })
  expect(active(workspace)).toEqual(['mice', 'owls'])
  // It is active: there is nothing to ask.
  expect(await load(workspace, name)).toMatchObject({ data: { alreadyLoaded: true } })
})

test('other skills, unknown ones and people are not asked about', async () => {
  const workspace = await asking(['owls'])
  expect(await load(workspace, 'cats')).toMatchObject({ ok: true })
  expect(await load(workspace, 'bats')).toMatchObject({ error: { type: 'NOT_FOUND' } })
  expect(await workspace.activateSkill('owls', { by: 'user' })).toMatchObject({ ok: true })
})

test('a rule of the host that allows loadSkill needs no person', async () => {
  const permissions = { allow: ['loadSkill'] }
  const workspace = await asking(['owls'], { policy: { permissions } })
  expect(await load(workspace, 'owls')).toMatchObject({ ok: true })
})

test.each([
  { asks: ['mice'], ok: false, now: [] },
  { asks: [], ok: true, now: ['mice', 'owls'] },
])('the call of a found tool activates its skill only if nobody is asked: $asks', async (row) => {
  const workspace = await asking(row.asks, { discovery: { onFound: 'activate-on-call' } })
  await workspace.callTool('tool_search', { query: 'look for owls' }, { caller: 'model' })
  const response = await workspace.callTool('look', {}, { caller: 'model' })
  expect(response.ok).toBe(row.ok)
  if (!response.ok) expect(response.error.details['code']).toBe('skill-inactive')
  expect(active(workspace)).toEqual(row.now)
})

test.each(['owls', 'mice'])(
  'an approval counts for the %s that a person was asked about',
  async (name) => {
    const workspace = await asking(['owls'])
    await load(workspace, 'owls')
    const [first] = workspace.state.confirmations
    await workspace.approve(first?.id ?? '', { by: 'user' })
    const changed = defineSkill({
      name,
      description: 'Find them.',
      instructions: 'Other orders.',
      requires: name === 'owls' ? ['mice'] : [],
    })
    const skills = [changed, ...[owls, mice, cats].filter((one) => one.name !== name)]
    await workspace.takeCatalog(await createCatalog({ skills }))
    expect(await load(workspace, 'owls')).toMatchObject({
      error: { type: 'CONFIRMATION_REQUIRED' },
    })
    expect(active(workspace)).toEqual([])
    const questions = workspace.state.confirmations
    expect(questions).toHaveLength(1)
    expect(questions[0]?.id).not.toBe(first?.id)
    await workspace.approve(questions[0]?.id ?? '', { by: 'user' })
    expect(await load(workspace, 'owls')).toMatchObject({ ok: true })
  },
)

test('a denial of a skill holds although the skill changed', async () => {
  const workspace = await asking(['cats'])
  await load(workspace, 'cats')
  await workspace.deny(workspace.state.confirmations[0]?.id ?? '', { by: 'user' })
  const changed = defineSkill({ name: 'cats', description: 'Find cats.', instructions: 'Please.' })
  await workspace.takeCatalog(await createCatalog({ skills: [owls, mice, changed] }))
  expect(await load(workspace, 'cats')).toMatchObject({ error: { type: 'DENIED' } })
})

/** Opens a session whose active skill leaves until it is allowed to, and in which owls conflict with cats. */
async function whileLeaving(leaving: 'cats' | 'mice', options: Partial<WorkspaceOptions>) {
  const hook = Promise.withResolvers<void>()
  const leaves = ({ name, description }: Skill) =>
    defineSkill({
      name,
      description,
      ...(name === leaving && { onDeactivate: () => hook.promise }),
    })
  const enemies = defineSkill({
    name: 'owls',
    description: 'Find owls.',
    requires: ['mice'],
    conflicts: ['cats'],
  })
  const skills = [enemies, leaves(mice), leaves(cats)]
  const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill'], ...options })
  await workspace.activateSkill(leaving, { by: 'user' })
  const left = workspace.deactivateSkill(leaving, { by: 'user' })
  const answer = load(workspace, 'owls')
  let isAnswered = false
  void answer.then(() => (isAnswered = true))
  await expect.poll(() => isAnswered || workspace.state.calls.length === 1).toBe(true)
  hook.resolve()
  await left
  return { workspace, answer: await answer }
}

const denied: Partial<WorkspaceOptions> = {
  policy: { permissions: { deny: [{ tool: 'loadSkill', where: { skillName: 'mice' } }] } },
}

test.each([
  { leaving: 'cats', options: denied, type: 'DENIED' },
  { leaving: 'mice', options: denied, type: 'DENIED' },
  {
    leaving: 'cats',
    options: { confirmations: { loading: ({ name }: Skill) => (name === 'mice' ? 'Who?' : null) } },
    type: 'CONFIRMATION_REQUIRED',
  },
] as const)(
  'a required skill is judged although $leaving is leaving: $type',
  async ({ leaving, options, type }) => {
    const { workspace, answer } = await whileLeaving(leaving, options)
    expect(answer).toMatchObject({ error: { type } })
    expect(active(workspace)).toEqual([])
  },
)

test('a text whose first line is empty asks, too', async () => {
  const loading = () => '\nWho wrote cats?'
  const workspace = await aWorkspace({ skills: [cats] }, { ...META, confirmations: { loading } })
  expect(await load(workspace, 'cats')).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED', details: { preview: { text: 'Who wrote cats?' } } },
  })
})

test('a check that fails asks', async () => {
  const loading = () => Promise.reject(new Error('no disk'))
  const workspace = await aWorkspace({ skills: [cats] }, { ...META, confirmations: { loading } })
  expect(await load(workspace, 'cats')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  expect(workspace.state.confirmations[0]?.condition?.reason).toContain('no disk')
})

test.each([
  { what: 'fails', loading: () => Promise.reject(new Error('no disk')) },
  { what: 'hangs', loading: () => new Promise<null>(() => undefined) },
])('the call of a found tool activates nothing when the check $what', async ({ loading }) => {
  const workspace = await asking([], {
    confirmations: { loading },
    limits: { checkMs: 1 },
    discovery: { onFound: 'activate-on-call' },
  })
  await workspace.callTool('tool_search', { query: 'look for owls' }, { caller: 'model' })
  const response = await workspace.callTool('look', {}, { caller: 'model' })
  expect(response).toMatchObject({ error: { details: { code: 'skill-inactive' } } })
  expect(active(workspace)).toEqual([])
})

test('the definition of loadSkill does not depend on the check', async () => {
  const hashOf = (workspace: VirtualWorkspace) =>
    workspace.tools().find(({ name }) => name === 'loadSkill')?.tool?.hash
  expect(hashOf(await asking(['owls']))).toBe(
    hashOf(await aWorkspace({ skills: [owls, mice, cats] }, META)),
  )
})
