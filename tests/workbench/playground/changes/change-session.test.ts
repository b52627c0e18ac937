import { expect, test } from 'vitest'
import { requestTokens } from '../../../../src/engine/model/step-cost.ts'
import {
  acceptChange,
  changeSession,
} from '../../../../src/workbench/playground/changes/change-session.ts'
import {
  activateSkill,
  deactivateWithDependents,
} from '../../../../src/workbench/playground/changes/activate-skill.ts'
import { runAction } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { whyNotQuit } from '../../../../src/workbench/playground/keys/global-actions.ts'
import { aPlayground } from '../a-playground.ts'

test('the reported price is that of the steps that a host would begin before and after', async () => {
  const { context, workspace } = await aPlayground()
  const before = (await workspace.beginStep()).cost
  await activateSkill(context, 'data-analysis')
  const { request } = context.ui.getState().banner ?? {}
  const after = (await workspace.beginStep()).cost
  expect(request).toEqual({
    before: requestTokens(before),
    after: requestTokens(after),
    tools: { before: before.tokens.tools, after: after.tokens.tools },
    // The request is too short to be cached.
    kept: { previous: after.previous, kept: 0, minimum: 1024, changed: after.changed },
  })
  expect(requestTokens(after)).toBeGreaterThan(requestTokens(before))
})

test('without a request before, the change is compared with the one that would have been sent', async () => {
  const { context, workspace } = await aPlayground()
  const { cost } = await workspace.previewStep()
  await activateSkill(context, 'data-analysis')
  const kept = { previous: requestTokens(cost) }
  expect(context.ui.getState().banner?.request).toMatchObject({ kept })
})

test('changes wait for each other, and each is compared with what it found', async () => {
  const { context, workspace } = await aPlayground()
  const found: number[] = []
  const change = (skill: string) =>
    changeSession(context, (now) => {
      found.push(now.state.seq)
      return { doing: skill, done: skill, run: () => now.activateSkill(skill) }
    })
  await Promise.all([change('data-analysis'), change('reporting')])
  expect(found).toEqual([1, 2])
  expect(workspace.state.seq).toBe(3)
})

test('a change that fails does not hold up the next one', async () => {
  const { context, workspace } = await aPlayground()
  const failing = changeSession(context, () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await activateSkill(context, 'data-analysis')
  expect(workspace.isToolAvailable('query_table')).toBe(true)
})

test('a skill that others require is deactivated together with them on request', async () => {
  const { context, workspace } = await aPlayground()
  await activateSkill(context, 'reporting')
  await deactivateWithDependents(context, 'data-analysis')
  expect(workspace.skillManager.getActiveSkills()).toEqual([])
  expect(context.ui.getState().banner?.difference?.removed).toHaveLength(3)
})

test('while an action takes long the screen says that it is in progress', async () => {
  const { context } = await aPlayground()
  let end = () => {}
  const title = 'Wait'
  const first = runAction({ title, run: () => new Promise<void>((done) => (end = done)) }, context)
  const second = runAction({ title: 'Another', run: () => Promise.resolve() }, context)
  await second
  expect(context.ui.getState().busy).toBe(title)
  end()
  await first
  expect(context.ui.getState().busy).toBeNull()
})

test('accepting is reported with its tools, and only when something changed', async () => {
  const accepted: (string | null)[] = []
  const { context, workspace } = await aPlayground(undefined, {
    async accept(skill) {
      accepted.push(skill)
      await workspace.activateSkill('data-analysis')
    },
  })
  await acceptChange(context, 'music')
  expect(context.ui.getState().banner).toMatchObject({ tone: 'note' })
  context.ui.setState({ changes: [{ skill: 'data-analysis', what: 'changed', text: '' }] })
  await acceptChange(context, 'data-analysis')
  expect(accepted).toEqual(['data-analysis'])
  expect(context.ui.getState().banner).toMatchObject({
    text: 'data-analysis accepted',
    difference: { added: ['query_table', 'list_tables'], removed: [], changed: [] },
  })
})

const CHANGE = { skill: 'music', what: 'changed', text: '' } as const
const ASKED = {
  id: '1',
  tool: 'query_table',
  hash: 'sha256:1',
  digest: 'sha256:2',
  principal: null,
  expiresAt: 0,
  consent: 'pending',
  seq: 1,
} as unknown as Parameters<typeof whyNotQuit>[1]['confirmations'][number]

test.each([
  ['nothing', { busy: null, changes: [] }, [], null],
  ['a command', { busy: 'activating music', changes: [] }, [], 'Pending: activating music.'],
  [
    'changes',
    { busy: null, changes: [CHANGE, CHANGE] },
    [],
    'Pending: 2 changes on disk not accepted.',
  ],
  ['what broke', { busy: null, changes: [{ ...CHANGE, what: 'broken' }] }, [], null],
  ['a question', { busy: null, changes: [] }, [ASKED], 'Pending: 1 confirmation not answered.'],
] as const)('pending: %s', (_what, ui, confirmations, why) => {
  expect(whyNotQuit(ui, { confirmations })).toBe(why)
})
