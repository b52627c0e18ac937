import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { serialQueue } from '../../src/kernel/serial-queue.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('tasks run one after another, even if an earlier one fails', async () => {
  const inTurn = serialQueue()
  const done: string[] = []
  const task = (name: string, fails: boolean) => async () => {
    done.push(`${name} begins`)
    await new Promise(setImmediate)
    done.push(`${name} ends`)
    if (fails) throw new Error(name)
    return name
  }
  const answers = await Promise.allSettled([
    inTurn(task('first', true)),
    inTurn(task('second', false)),
  ])
  expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  expect(answers).toMatchObject([{ status: 'rejected' }, { value: 'second' }])
})

test('an idle queue does not keep the result of its last task', async () => {
  const inTurn = serialQueue()
  const result = await (async () => new WeakRef(await inTurn(async () => ({ large: true }))))()
  await new Promise(setImmediate)
  collect()
  expect(result.deref()).toBeUndefined()
  expect(await inTurn(async () => 'more')).toBe('more')
})
