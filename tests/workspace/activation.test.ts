import { defineAgent } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aWorkspace, available, history } from './a-workspace.ts'

/** A chain of requirements whose hooks record what they do, and behave as configured. */
function chain(third: () => void | Promise<void>) {
  const done: string[] = []
  const hooks = (name: string, last: () => void | Promise<void> = () => undefined) => ({
    onActivate: ({ undo }: { undo: boolean }) => {
      done.push(`${undo ? 'undo ' : ''}${name} in`)
      return last()
    },
    onDeactivate: ({ undo }: { undo: boolean }) => {
      done.push(`${undo ? 'undo ' : ''}${name} out`)
    },
  })
  const skills = [
    aSkill('base', { ...hooks('base') }),
    aSkill('middle', { requires: ['base'], ...hooks('middle') }),
    aSkill('top', { requires: ['middle'], ...hooks('top', third) }),
  ]
  return { skills, done }
}

test.each<{ what: string; third: () => void | Promise<void>; message: string }>([
  {
    what: 'throws',
    third: () => {
      throw new Error('no power')
    },
    message: 'no power',
  },
  {
    what: 'rejects with a text',
    third: () => Promise.reject('no water'),
    message: 'no water',
  },
  {
    what: 'hangs',
    third: () => new Promise(() => undefined),
    message: 'onActivate of "top" did not end within 20 ms.',
  },
])('when the hook of the third skill in a chain $what, all is as before', async (row) => {
  const { skills, done } = chain(row.third)
  const workspace = await aWorkspace({ skills }, { limits: { hookTimeoutMs: 20 } })
  const before = {
    prompt: workspace.prompt().text,
    tools: workspace.tools(),
    open: workspace.state.open,
  }
  expect(await workspace.activateSkill('top')).toMatchObject({
    ok: false,
    code: 'hook-failed',
    facts: { skill: 'top', hook: 'onActivate', undone: ['middle', 'base'], undoFailed: [] },
  })
  expect(done).toEqual(['base in', 'middle in', 'top in', 'undo middle out', 'undo base out'])
  expect(workspace.prompt().text).toBe(before.prompt)
  expect(workspace.tools()).toEqual(before.tools)
  expect(workspace.state.open).toEqual(before.open)
  const entries = await workspace.entries()
  expect(entries.slice(1).map(({ event }) => event)).toEqual([
    {
      type: 'activation.failed',
      skill: 'top',
      hook: 'onActivate',
      wanted: 'top',
      message: row.message,
      undone: ['middle', 'base'],
      undoFailed: [],
    },
  ])
})

test('an undo that fails is reported, and the others are still undone', async () => {
  const undone: string[] = []
  const workspace = await aWorkspace({
    skills: [
      aSkill('base', { onActivate: () => undefined, onDeactivate: () => void undone.push('base') }),
      aSkill('middle', {
        requires: ['base'],
        onActivate: () => undefined,
        onDeactivate: () => {
          throw new Error('stuck')
        },
      }),
      aSkill('top', { requires: ['middle'], onActivate: () => Promise.reject(new Error('no')) }),
    ],
  })
  expect(await workspace.activateSkill('top')).toMatchObject({
    facts: { undone: ['base'], undoFailed: ['middle'] },
  })
  expect(undone).toEqual(['base'])
  expect(available(workspace)).toEqual([])
})

test('requirements come first, under one append, and each says whose they are', async () => {
  const { skills } = chain(() => undefined)
  const workspace = await aWorkspace({ skills })
  const versions: number[] = []
  workspace.store.subscribe(({ state }) => versions.push(state.seq))
  await workspace.activateSkill('top')
  expect([...new Set(versions)]).toEqual([0, 3])
  const entries = await workspace.entries(1)
  expect(entries.map(({ cause, event }) => [cause, 'owner' in event && event.owner])).toEqual([
    [{ by: 'dependency', of: 'middle' }, 'base'],
    [{ by: 'dependency', of: 'top' }, 'middle'],
    [{ by: 'host' }, 'top'],
  ])
})

test('what only a requirement brought leaves with it; what was asked for stays', async () => {
  const { skills } = chain(() => undefined)
  const workspace = await aWorkspace({ skills })
  await workspace.activateSkill('top')
  expect(await workspace.deactivateSkill('base')).toMatchObject({
    code: 'required-by',
    facts: { by: ['top', 'middle'] },
  })
  await workspace.deactivateSkill('top')
  expect(available(workspace)).toEqual([])

  await workspace.activateSkill('top')
  expect(await workspace.activateSkill('base')).toMatchObject({ ok: true })
  expect(await workspace.activateSkill('base')).toMatchObject({ code: 'skill-already-active' })
  await workspace.deactivateSkill('top')
  expect(available(workspace)).toEqual(['base_tool'])
  expect(await history(workspace, 8)).toEqual([
    'source.opened base',
    'source.opened middle',
    'source.opened top',
    'source.kept base',
    'command.refused base (skill-already-active)',
    'source.closed top',
    'source.closed middle',
  ])
})

test('cascade deactivates the skills that require it, dependents first', async () => {
  const { skills, done } = chain(() => undefined)
  const workspace = await aWorkspace({ skills })
  await workspace.activateSkill('top')
  done.length = 0
  expect(await workspace.deactivateSkill('middle', { cascade: true })).toMatchObject({
    difference: { removed: ['base_tool', 'middle_tool', 'top_tool'] },
  })
  expect(done).toEqual(['top out', 'middle out', 'base out'])
})

test.each<{ active: string[]; code: string | null }>([
  { active: [], code: 'skill-not-active' },
  { active: ['one'], code: null },
  { active: ['one', 'two'], code: 'skill-ambiguous' },
])('deactivating without a name, with $active active: $code', async ({ active, code }) => {
  const workspace = await aWorkspace({ skills: [aSkill('one'), aSkill('two')] })
  for (const skill of active) await workspace.activateSkill(skill)
  const outcome = await workspace.deactivateSkill()
  expect(outcome.ok ? null : outcome.code).toBe(code)
  expect(available(workspace)).toEqual(code === null ? [] : active.map((name) => `${name}_tool`))
})

test('an exclusive skill puts the others away, and leaves for the next one', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('one'), aSkill('two'), aSkill('alone', { exclusive: true })],
  })
  await workspace.activateSkill('one')
  await workspace.activateSkill('two')
  expect(await workspace.activateSkill('alone')).toMatchObject({
    difference: { added: ['alone_tool'], removed: ['one_tool', 'two_tool'] },
  })
  expect(workspace.explainSkill('two').because).toEqual([
    { seq: 3, text: 'Skill "two" was deactivated by the policy rule exclusive beside alone.' },
  ])
  await workspace.activateSkill('one')
  expect(available(workspace)).toEqual(['one_tool'])
})

test('an exclusive agent has one skill at a time, with what it requires', async () => {
  const { skills } = chain(() => undefined)
  const agent = defineAgent({ name: 'single', exclusive: true })
  const workspace = await aWorkspace({ skills: [...skills, aSkill('other')] }, { agent })
  await workspace.activateSkill('middle')
  expect(available(workspace)).toEqual(['base_tool', 'middle_tool'])
  await workspace.activateSkill('other')
  expect(available(workspace)).toEqual(['other_tool'])
})

test('a conflict is refused, or settled in favour of the newcomer with replace', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('cats'), aSkill('dogs', { conflicts: ['cats'] })],
  })
  await workspace.activateSkill('cats')
  expect(await workspace.activateSkill('dogs')).toMatchObject({ code: 'conflicting' })
  expect(await workspace.activateSkill('dogs', { replace: true })).toMatchObject({
    difference: { added: ['dogs_tool'], removed: ['cats_tool'] },
  })
  expect(await workspace.activateSkill('cats')).toMatchObject({ code: 'conflicting' })
})

/** Activations, switches, conflicts and cascades, in an order that makes each of them happen. */
async function scenario(failAt: number) {
  let ran = 0
  const failures: string[] = []
  const hook = ({ undo }: { undo: boolean }) => {
    if (undo) return
    ran += 1
    if (ran === failAt) throw new Error(`hook ${ran}`)
  }
  const hooks = { onActivate: hook, onDeactivate: hook }
  const workspace = await aWorkspace({
    skills: [
      aSkill('base', hooks),
      aSkill('middle', { requires: ['base'], ...hooks }),
      aSkill('top', { requires: ['middle'], ...hooks }),
      aSkill('alone', { exclusive: true, ...hooks }),
      aSkill('rival', { conflicts: ['base'], ...hooks }),
    ],
  })
  const steps = [
    () => workspace.activateSkill('top'),
    () => workspace.activateSkill('rival', { replace: true }),
    () => workspace.activateSkill('middle', { replace: true }),
    () => workspace.activateSkill('alone'),
    () => workspace.activateSkill('top'),
    () => workspace.deactivateSkill('base', { cascade: true }),
  ]
  for (const step of steps) {
    const before = workspace.state
    const outcome = await step()
    if (!outcome.ok && outcome.code === 'hook-failed') {
      failures.push(outcome.code)
      const { seq, latestAt: _, ...facts } = workspace.state
      expect(seq).toBe(before.seq + 1)
      expect({ ...facts, seq: before.seq, latestAt: before.latestAt }).toEqual(before)
    }
    expect(workspace.store.getState().pending).toEqual([])
  }
  return { ran, failures, open: workspace.state.open.map(({ owner }) => owner) }
}

test('whichever hook fails, the state is the one before the command or the one after', async () => {
  const { ran, failures, open } = await scenario(0)
  expect({ ran, failures, open }).toEqual({ ran: 20, failures: [], open: [] })
  for (let failAt = 1; failAt <= ran; failAt += 1) {
    expect((await scenario(failAt)).failures).toHaveLength(1)
  }
})
