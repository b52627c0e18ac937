import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineTool,
  VirtualWorkspace,
  type SkillStatus,
  type ToolResponse,
  type ToolStatus,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

interface ToolCase {
  readonly status: ToolStatus
  /** The answer of a call of `tool`. */
  readonly type: string | null
  readonly owner: string | null
  readonly fix: RegExp
  readonly why: RegExp
  make(): Promise<VirtualWorkspace>
}

const skill = aSkill('owls', { tools: [aTool('tool')] })

const active = async (options: Parameters<typeof aWorkspace>[1] = {}) => {
  const workspace = await aWorkspace({ skills: [skill] }, options)
  await workspace.activateSkill('owls')
  return workspace
}

test.each<ToolCase>([
  {
    status: 'available',
    type: null,
    owner: 'owls',
    fix: /^$/u,
    why: /activated by the host/u,
    make: () => active(),
  },
  {
    status: 'skill-inactive',
    type: 'UNAVAILABLE',
    owner: 'owls',
    fix: /Activate the skill "owls"/u,
    why: /not been activated/u,
    make: () => aWorkspace({ skills: [skill] }),
  },
  {
    status: 'skill-inactive',
    type: 'UNAVAILABLE',
    owner: 'owls',
    fix: /Activate the skill "owls". Even then the tool would be denied\./u,
    why: /not been activated/u,
    make: () => aWorkspace({ skills: [skill] }, { policy: { permissions: { deny: ['tool'] } } }),
  },
  {
    status: 'not-exposed',
    type: 'UNAVAILABLE',
    owner: 'owls',
    fix: /Add "tool" to the tools of the agent/u,
    why: /shows its model only other/u,
    make: () => active({ agent: defineAgent({ name: 'narrow', tools: ['other'] }) }),
  },
  {
    status: 'disabled',
    type: 'UNAVAILABLE',
    owner: 'owls',
    fix: /setToolEnabled\("tool", true\)/u,
    why: /switched off by the user/u,
    make: async () => {
      const workspace = await active()
      await workspace.setToolEnabled('tool', false, { by: 'user' })
      return workspace
    },
  },
  {
    status: 'denied',
    type: 'DENIED',
    owner: 'owls',
    fix: /host/u,
    why: /policy denies "to\*"/u,
    make: () => active({ policy: { permissions: { deny: ['x', 'to*'] } } }),
  },
  {
    status: 'blocked-by-mode',
    type: 'MODE_RESTRICTED',
    owner: 'owls',
    fix: /mode voice or phone/u,
    why: /this session is in "text"/u,
    make: async () => {
      const spoken = aSkill('owls', { tools: [aTool('tool', { modes: ['voice', 'phone'] })] })
      const workspace = await aWorkspace({ skills: [spoken] })
      await workspace.activateSkill('owls')
      return workspace
    },
  },
  {
    status: 'budget-spent',
    type: 'BUDGET_EXCEEDED',
    owner: 'owls',
    fix: /next turn/u,
    why: /action calls of this turn are spent \(1\)/u,
    make: async () => {
      const workspace = await active({ policy: { callsPerTurn: { action: 1 } } })
      await workspace.callTool('tool', {})
      return workspace
    },
  },
  {
    status: 'changed',
    type: 'UNAVAILABLE',
    owner: 'owls',
    fix: /acceptSkill\("owls"\)/u,
    why: /not the one the session activated/u,
    make: async () => {
      const log = createMemoryLog()
      await active({ log, session: 's' })
      const other = aSkill('owls', { tools: [aTool('tool')], instructions: 'Hoot.' })
      return aWorkspace({ skills: [other] }, { log, session: 's' })
    },
  },
  {
    status: 'unbound',
    type: 'UNBOUND',
    owner: 'owls',
    fix: /Bind a handler/u,
    why: /No handler/u,
    make: async () => {
      const bare = defineTool({ name: 'tool', description: 'No handler.' })
      const workspace = await aWorkspace({ skills: [aSkill('owls', { tools: [bare] })] })
      await workspace.activateSkill('owls')
      return workspace
    },
  },
  {
    status: 'unknown',
    type: 'NOT_FOUND',
    owner: null,
    fix: /Did you mean "tools"/u,
    why: /No tool is named "tool"/u,
    make: () => aWorkspace({}, { tools: [aTool('tools')] }),
  },
])('a tool that is $status says so in lists, explanation and envelope', async (row) => {
  const workspace = await row.make()
  const explained = workspace.explain('tool')
  expect(explained).toMatchObject({
    status: row.status,
    owner: row.owner,
    source: row.owner === null ? null : 'skill',
    fix: expect.stringMatching(row.fix),
  })
  expect(explained.because.at(-1)?.text).toMatch(row.why)
  expect(workspace.isToolAvailable('tool')).toBe(row.status === 'available')
  expect(workspace.tools().find(({ name }) => name === 'tool')?.status ?? 'unknown').toBe(
    row.status,
  )
  const entries = await workspace.entries()
  for (const { seq } of explained.because) expect(entries[seq]?.seq).toBe(seq)
  const response: ToolResponse = await workspace.callTool('tool', {})
  if (response.ok) {
    expect(row.type).toBeNull()
    return
  }
  expect(response.error).toMatchObject({
    type: row.type,
    retryable: false,
    partialSideEffects: false,
    details: { code: row.status, hint: explained.fix },
  })
  expect(response.error.message).toContain(explained.because.at(-1)?.text)
  expect((await workspace.entries())[response.meta.seq ?? -1]?.event).toMatchObject({
    type: 'command.refused',
    command: 'call.start',
    subject: 'tool',
    code: row.status,
  })
})

interface SkillCase {
  readonly status: SkillStatus
  readonly skill: string
  readonly why: RegExp
  readonly fix: RegExp
  /** The outcome of activating it. */
  readonly code: string | null
  make(): Promise<VirtualWorkspace>
}

const rivals = {
  skills: [
    aSkill('owls'),
    aSkill('mice', { conflicts: ['owls'] }),
    aSkill('barn', { requires: ['hay'] }),
  ],
}

test.each<SkillCase>([
  {
    status: 'active',
    skill: 'owls',
    why: /activated by the user/u,
    fix: /^$/u,
    code: 'skill-already-active',
    make: async () => {
      const workspace = await aWorkspace(rivals)
      await workspace.activateSkill('owls', { by: 'user' })
      return workspace
    },
  },
  {
    status: 'inactive',
    skill: 'owls',
    why: /deactivated by the host/u,
    fix: /Activate the skill "owls"/u,
    code: null,
    make: async () => {
      const workspace = await aWorkspace(rivals)
      await workspace.activateSkill('owls')
      await workspace.deactivateSkill('owls')
      return workspace
    },
  },
  {
    status: 'not-permitted',
    skill: 'mice',
    why: /not on a list of the agent "strict"/u,
    fix: /Add "mice"/u,
    code: 'not-permitted',
    make: () => aWorkspace(rivals, { agent: defineAgent({ name: 'strict', skills: ['owls'] }) }),
  },
  {
    status: 'conflicting',
    skill: 'mice',
    why: /conflicts with "owls"/u,
    fix: /Deactivate "owls" first/u,
    code: 'conflicting',
    make: async () => {
      const workspace = await aWorkspace(rivals)
      await workspace.activateSkill('owls')
      return workspace
    },
  },
  {
    status: 'missing-requirement',
    skill: 'barn',
    why: /there is no skill "hay"/u,
    fix: /Add the skill "hay"/u,
    code: 'missing-requirement',
    make: () => aWorkspace(rivals),
  },
  {
    status: 'changed',
    skill: 'owls',
    why: /What changed: tags was \[\] and is \["new"\]/u,
    fix: /acceptSkill\("owls"\)/u,
    code: 'skill-already-active',
    make: async () => {
      const log = createMemoryLog()
      const before = await aWorkspace(rivals, { log, session: 's' })
      await before.activateSkill('owls')
      return aWorkspace({ skills: [aSkill('owls', { tags: ['new'] })] }, { log, session: 's' })
    },
  },
  {
    status: 'broken',
    skill: 'owls',
    why: /onActivate hook failed after a resume: no perch/u,
    fix: /Deactivate "owls" and activate it again/u,
    code: 'skill-already-active',
    make: async () => {
      const log = createMemoryLog()
      const perched = aSkill('owls', {
        onActivate: ({ resumed }) => {
          if (resumed) throw new Error('no perch')
        },
      })
      const before = await aWorkspace({ skills: [perched] }, { log, session: 's' })
      await before.activateSkill('owls')
      const after = await aWorkspace({ skills: [perched] }, { log, session: 's' })
      expect(await after.callTool('owls_tool', {})).toMatchObject({
        error: { details: { code: 'skill-inactive' } },
      })
      return after
    },
  },
  {
    status: 'unknown',
    skill: 'owl',
    why: /No skill is named "owl"/u,
    fix: /Did you mean "owls"/u,
    code: 'skill-unknown',
    make: () => aWorkspace(rivals),
  },
])('a skill that is $status says so in lists, explanation and outcome', async (row) => {
  const workspace = await row.make()
  const explained = workspace.explainSkill(row.skill)
  expect(explained).toMatchObject({ status: row.status, fix: expect.stringMatching(row.fix) })
  expect(explained.because.at(-1)?.text).toMatch(row.why)
  const listed = workspace.skills().find(({ name }) => name === row.skill)
  expect(listed?.status ?? 'unknown').toBe(row.status)
  const entries = await workspace.entries()
  for (const { seq } of explained.because) expect(entries[seq]?.seq).toBe(seq)
  const outcome = await workspace.activateSkill(row.skill)
  expect(outcome.ok ? null : outcome.code).toBe(row.code)
  if (!outcome.ok && row.fix.source !== '^$') expect(outcome.hint).toMatch(row.fix)
})

test('a skill is pending while its hooks run, and the log has nothing of it', async () => {
  const seen: unknown[] = []
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('owls', {
        onActivate: async () => {
          const { status, because } = workspace.explainSkill('owls')
          seen.push(status, because.at(-1)?.text, workspace.store.getState().pending)
          seen.push(workspace.skills()[0]?.status, (await workspace.entries()).length)
        },
      }),
    ],
  })
  await workspace.activateSkill('owls')
  expect(seen).toEqual([
    'pending',
    'Skill "owls" is changing; its hooks are running.',
    ['owls'],
    'pending',
    1,
  ])
  expect(workspace.store.getState().pending).toEqual([])
})

test('of two skills of one name the second is listed as shadowed', async () => {
  const catalog = await createCatalog({
    skills: [aSkill('owls'), aSkill('owls', { instructions: 'Other.' })],
  })
  const workspace = await VirtualWorkspace.open({ catalog })
  expect(workspace.skills().map(({ name, status }) => [name, status])).toEqual([
    ['owls', 'inactive'],
    ['owls', 'shadowed'],
  ])
})

test('the explanation names a skill that may be loaded, if one of those that bring the tool may', async () => {
  const tool = aTool('tool')
  const skills = ['barred', 'free'].map((name) => aSkill(name, { tools: [tool] }))
  const agent = defineAgent({ name: 'strict', skills: ['free'] })
  const workspace = await aWorkspace({ skills }, { agent })
  expect(workspace.explain('tool')).toMatchObject({
    owner: 'free',
    fix: 'Activate the skill "free".',
  })
})

test('an address without a tool is not said to be a name without one', async () => {
  const refund = aTool('refund')
  const workspace = await aWorkspace({ tools: [refund] })
  const message = async (tool: string | typeof refund) => {
    const response = await workspace.callTool(tool as string, {})
    return response.ok ? 'ran' : response.error.message
  }
  expect(await message('billing/refund')).toBe(
    '"billing" has no tool named "refund". Did you mean "refund"?',
  )
  expect(await message('skill:billing/refund')).toBe(
    '"skill:billing" has no tool named "refund". Did you mean "refund"?',
  )
  expect(await message('refnd')).toBe('No tool is named "refnd". Did you mean "refund"?')
  expect(await message(aTool('refund', { description: 'Another.' }))).toBe(
    'The tool "refund" that was given is not registered here. Another tool has its name. Did you mean "refund"?',
  )
})
