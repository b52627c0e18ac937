import { expect, test } from 'vitest'
import { skillRows } from '../../../../src/workbench/playground/panes/skill-rows.ts'
import { aPlayground } from '../a-playground.ts'

test('a skill whose hook runs is pending in its row, though the session knows nothing of it yet', async () => {
  const ready = Promise.withResolvers<undefined>()
  const { workspace } = await aPlayground([
    { name: 'music', description: 'Play songs.', onActivate: () => ready.promise },
  ])
  const status = () => skillRows(workspace, '', []).rows[0]?.status
  expect(status()).toBe('inactive')
  const activation = workspace.activateSkill('music')
  await expect.poll(status).toBe('pending')
  ready.resolve(undefined)
  await activation
  expect(status()).toBe('active')
})

test('rows are the same objects for the same moment and filter, and others for another', async () => {
  const { workspace } = await aPlayground()
  const none: [] = []
  const rows = skillRows(workspace, '', none)
  expect(skillRows(workspace, '', none)).toBe(rows)
  expect(skillRows(workspace, 'report', none).ids).toEqual(['reporting'])
  expect(skillRows(workspace, 'REPORT music', none).ids).toEqual([])
})

test('a change leaves the rows alone that it does not touch', async () => {
  const { workspace } = await aPlayground()
  const none: [] = []
  const before = skillRows(workspace, '', none).rows
  await workspace.activateSkill('data-analysis')
  const after = skillRows(workspace, '', none)
  expect(after.rows[0]).toMatchObject({ id: 'data-analysis', lifetime: 'session', tools: 2 })
  expect(before[0]).toMatchObject({ id: 'data-analysis', lifetime: '', tools: 2 })
  expect(after.active).toBe(1)
})

test('a change on disk is in the row of its skill until it is applied', async () => {
  const { workspace } = await aPlayground()
  const changes = [{ skill: 'music', what: 'changed', text: 'settings.' }] as const
  const changeOf = (rows: ReturnType<typeof skillRows>) =>
    rows.rows.find(({ id }) => id === 'music')?.change
  expect(changeOf(skillRows(workspace, '', changes))).toBe('changed')
  expect(changeOf(skillRows(workspace, '', []))).toBe('')
})

test('the remaining turns are counted down while the skill stays unchanged', async () => {
  const { workspace } = await aPlayground([{ name: 'music', description: 'Play songs.' }])
  await workspace.beginTurn()
  await workspace.activateSkill('music', { lifetime: { turns: 3 } })
  const lifetime = () => skillRows(workspace, '', []).rows[0]?.lifetime
  expect(lifetime()).toBe('3 turns left')
  await workspace.beginTurn()
  expect(lifetime()).toBe('2 turns left')
})
