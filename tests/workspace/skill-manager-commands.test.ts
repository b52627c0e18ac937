import type { Outcome } from 'loadout'
import { expect, expectTypeOf, test } from 'vitest'
import { aSkill, available, aWorkspace } from './a-workspace.ts'

test('the manager of a workspace registers, activates and deactivates its skills', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('alpha'), aSkill('beta')] })
  const { skillManager } = workspace
  const outcome = skillManager.activateSkill('alpha', { by: 'user', lifetime: { uses: 1 } })
  expectTypeOf(outcome).toEqualTypeOf<Promise<Outcome>>()
  expect(await outcome).toMatchObject({ ok: true, difference: { added: ['alpha_tool'] } })
  expect(skillManager.getActiveSkill()?.name).toBe('alpha')
  expect(available(workspace)).toEqual(['alpha_tool'])
  expect(await skillManager.activateSkill('nothing')).toMatchObject({ ok: false })
  expect((await workspace.entries()).map(({ cause }) => cause.by)).toContain('user')

  await skillManager.registerSkill(aSkill('gamma'))
  expect(skillManager.getAllSkillToolStates().map(({ skillName }) => skillName)).toContain('gamma')
  expect(await skillManager.activateSkill('gamma')).toMatchObject({ ok: true })
  await skillManager.deactivateSkill('gamma')

  expect(await skillManager.deactivateSkill('alpha', { cascade: true })).toMatchObject({ ok: true })
  expect(skillManager.getActiveSkills()).toEqual([])
  await workspace.close()
  await expect(skillManager.activateSkill('beta')).rejects.toMatchObject({
    code: 'WORKSPACE_CLOSED',
  })
})
