import { expect, test } from 'vitest'
import { cachePerState } from '../../../src/playground/rows/row-cache.ts'
import { aPlayground } from '../a-playground.ts'

test('the same is read once for a moment and a question, and anew for another', async () => {
  const { workspace } = await aPlayground()
  let reads = 0
  const count = cachePerState((reader, word: string) => {
    reads += 1
    return `${word} ${reader.tools().length}`
  })
  expect(count(workspace, 'a')).toBe(count(workspace, 'a'))
  expect(reads).toBe(1)
  count(workspace, 'b')
  expect(reads).toBe(2)
  await workspace.activateSkill('music')
  count(workspace, 'b')
  expect(reads).toBe(3)
})
