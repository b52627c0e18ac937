import { WorkspaceError } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aWorkspace } from '../a-workspace.ts'

test('orThrow returns a successful outcome, and throws a refused one with its code, facts and hint', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('web')] })
  const outcome = await workspace.activateSkill('web')
  expect(outcome.orThrow()).toBe(outcome)
  expect(outcome.orThrow().difference.added).toEqual(['web_tool'])
  const refused = await workspace.activateSkill('wbe')
  const thrown: unknown = (() => {
    try {
      return refused.orThrow()
    } catch (error) {
      return error
    }
  })()
  expect(WorkspaceError.is(thrown)).toBe(true)
  expect(thrown).toMatchObject({
    code: 'skill-unknown',
    message: 'No skill is named "wbe".',
    hint: expect.stringContaining('web'),
  })
  await expect(workspace.activateSkill('web').then((one) => one.orThrow())).rejects.toMatchObject({
    code: 'skill-already-active',
  })
})

test('an outcome is still plain data', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('web')] })
  const outcome = await workspace.activateSkill('web')
  expect(JSON.parse(JSON.stringify(outcome))).toEqual({
    ok: true,
    seq: 1,
    difference: { added: ['web_tool'], removed: [], changed: [] },
  })
  expect(Object.keys(await workspace.activateSkill('web'))).not.toContain('orThrow')
})
