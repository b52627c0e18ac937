import { expect, test } from 'vitest'
import { RequestLog } from '../../../../src/connections/observed/transcripts/request-log.ts'

/** A log of requests, each the first messages of another one and its own ones. */
function aLog(
  requests: readonly (readonly [id: string, base: string, keep: number, own: string])[],
) {
  const log = new RequestLog()
  for (const hash of new Set(requests.flatMap(([, , , own]) => [...own])))
    log.add({ type: 'api-request-blob', hash, said: hash })
  for (const [id, base, keep, own] of requests)
    log.add({ type: 'api-request', id, base, keep, tail: [...own], params: {} })
  return log
}

test('a session and its fork read requests by turns, and each goes on from its own last one', () => {
  const log = aLog([
    ['r0', '', 0, 'a'],
    ['r1', 'r0', 1, 'b'],
    ['r2', 'r1', 2, 'c'],
    ['r3', 'r2', 3, 'd'],
    ['f2', 'r1', 2, 'xyz'],
    ['f3', 'f2', 5, 'w'],
  ])
  const sentIn = (one: RequestLog, id: string) => {
    const { kept, added } = one.read(id)?.sent ?? {}
    return [kept, added?.join('')]
  }
  expect([sentIn(log, 'r0'), sentIn(log, 'r1')]).toEqual([
    [0, 'a'],
    [1, 'b'],
  ])
  const fork = log.fork()
  expect(sentIn(fork, 'f2')).toEqual([2, 'xyz'])
  expect(sentIn(log, 'r2')).toEqual([2, 'c'])
  expect(sentIn(fork, 'f3')).toEqual([5, 'w'])
  expect(sentIn(log, 'r3')).toEqual([3, 'd'])
})
