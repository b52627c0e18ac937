import { expect, test } from 'vitest'
import { changedFolders } from '../../scripts/torture/changed-folders.ts'
import { holds } from './holds.ts'

test('a change of any file of a trusted folder is noticed', async () => {
  const { figures } = await holds(changedFolders, 0.2)
  expect(figures).toMatchObject({ 'changes made and undone': 48 })
})
