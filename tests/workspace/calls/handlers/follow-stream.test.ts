import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src/kernel/json-value.ts'
import {
  followStream,
  type StreamFollower,
} from '../../../../src/workspace/calls/handlers/follow-stream.ts'

/** A follower that keeps what it gets. */
function follower(more: Partial<StreamFollower> = {}) {
  const outputs: JsonValue[] = []
  const following: StreamFollower = {
    signal: new AbortController().signal,
    limits: { outputs: 100, bytes: 100_000 },
    maxBytes: 10_000,
    contentBytes: 10_000,
    oversized: 'fail',
    onOutput: (output) => void outputs.push(output),
    ...more,
  }
  return { outputs, following }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('whatever is yielded comes out in its order, and the last of it is the result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 20 }), async (values) => {
      const plain = JSON.parse(JSON.stringify(values)) as JsonValue[]
      const { outputs, following } = follower()
      const ended = await followStream(
        (async function* () {
          yield* plain
        })(),
        following,
      )
      expect(outputs).toEqual(plain)
      expect(ended).toEqual({ kind: 'returned', value: plain.at(-1) ?? null })
    }),
    { numRuns: 50 },
  )
})

test('the next value is asked for when the listener is done with the last one', async () => {
  const order: string[] = []
  const { following } = follower({
    onOutput: async (output) => {
      order.push(`told ${output}`)
      await settled()
      order.push(`done ${output}`)
    },
  })
  async function* counting() {
    for (const number of [1, 2]) {
      order.push(`made ${number}`)
      yield await Promise.resolve(number)
    }
  }
  await followStream(counting(), following)
  expect(order).toEqual(['made 1', 'told 1', 'done 1', 'made 2', 'told 2', 'done 2'])
})

test('an output cannot be changed by its listener', async () => {
  const { following } = follower({
    onOutput: (output) => void ((output as { a: number }).a = 2),
  })
  const ended = followStream(
    (async function* () {
      yield await Promise.resolve({ a: 1 })
    })(),
    following,
  )
  expect(await ended).toMatchObject({ kind: 'threw', thrown: expect.any(TypeError) as unknown })
})

test('a listener gets the data of an envelope, and nothing of a failure', async () => {
  const { outputs, following } = follower()
  async function* envelopes() {
    yield { ok: true, data: { a: 1 }, intents: [] }
    yield await Promise.resolve({ ok: false, error: { type: 'CONFLICT', message: 'taken' } })
  }
  expect(await followStream(envelopes(), following)).toMatchObject({
    kind: 'returned',
    value: { ok: false },
  })
  expect(outputs).toEqual([{ a: 1 }])
})

test.each<{ why: string; leave: (outer: AbortController) => unknown }>([
  { why: 'nobody waits any more', leave: (outer) => outer.abort() },
  { why: 'a value is none', leave: () => 1n },
])('a stream is ended, and its finally runs, when $why', async ({ leave }) => {
  const outer = new AbortController()
  const { following } = follower({ signal: outer.signal })
  let ended = false
  async function* held() {
    try {
      yield await Promise.resolve(1)
      yield leave(outer)
      yield 3
    } finally {
      ended = true
    }
  }
  await followStream(held(), following)
  await settled()
  expect(ended).toBe(true)
  expect(getEventListeners(outer.signal, 'abort')).toEqual([])
})

test('a stream that comes when nobody waits any more is ended, and never asked', async () => {
  const asked: string[] = []
  const { following } = follower({ signal: AbortSignal.abort() })
  const asks = (what: string) => async (): Promise<IteratorResult<unknown>> => {
    asked.push(what)
    return { done: true, value: undefined }
  }
  const late = {
    [Symbol.asyncIterator]: () => ({ next: asks('next'), return: asks('return') }),
  }
  await followStream(late, following)
  await settled()
  expect(asked).toEqual(['return'])
})
