import { expect, test } from 'vitest'
import { createMoments } from '../../../../src/workbench/playground/session/follow-timeline.ts'
import type { WorkspaceReader } from '../../../../src/workspace/virtual-workspace.ts'

/** Distinguishable moments, and the numbers of those that were read. */
function looks(most: number) {
  const read: number[] = []
  const moments = createMoments((seq) => {
    read.push(seq)
    return Promise.resolve({ session: `${seq}` } as WorkspaceReader)
  }, most)
  return { moments, read }
}

test('a moment is read once, however often it is asked for', async () => {
  const { moments, read } = looks(32)
  const [a, b] = await Promise.all([moments.look(3), moments.look(3)])
  expect(a).toBe(b)
  expect(await moments.look(3)).toBe(a)
  expect(moments.ready(3)).toBe(a)
  expect(moments.ready(4)).toBeNull()
  expect(read).toEqual([3])
})

test('the least recently used moment is dropped first', async () => {
  const { moments, read } = looks(2)
  for (const seq of [1, 2, 1, 3]) await moments.look(seq)
  expect([1, 2, 3].map((seq) => moments.ready(seq) !== null)).toEqual([true, false, true])
  await moments.look(2)
  expect(read).toEqual([1, 2, 3, 2])
})

test('a failed read is not cached', async () => {
  let fails = true
  const moments = createMoments(() =>
    fails ? Promise.reject(new Error('damaged')) : Promise.resolve({} as WorkspaceReader),
  )
  await expect(moments.look(1)).rejects.toThrow('damaged')
  expect(moments.ready(1)).toBeNull()
  fails = false
  expect(await moments.look(1)).toEqual({})
})
