import { expect, test } from 'vitest'
import { skillRows } from '../../../../src/workbench/playground/panes/skill-rows.ts'
import { aPlayground } from '../a-playground.ts'

test('a skill whose hook runs is pending in its row, though the session knows nothing of it yet', async () => {
  const ready = Promise.withResolvers<undefined>()
  const { workspace } = await aPlayground([
    { name: 'music', description: 'Play songs.', onActivate: () => ready.promise },
  ])
  const status = () => skillRows(workspace, '').rows[0]?.status
  expect(status()).toBe('inactive')
  const activation = workspace.activateSkill('music')
  await expect.poll(status).toBe('pending')
  ready.resolve(undefined)
  await activation
  expect(status()).toBe('active')
})

test('rows are the same objects for the same moment and filter, and others for another', async () => {
  const { workspace } = await aPlayground()
  const rows = skillRows(workspace, '')
  expect(skillRows(workspace, '')).toBe(rows)
  expect(skillRows(workspace, 'report').ids).toEqual(['reporting'])
  expect(skillRows(workspace, 'REPORT music').ids).toEqual([])
})
