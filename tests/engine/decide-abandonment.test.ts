import { expect, test } from 'vitest'
import { decide } from '../../src/engine/decide/decide.ts'
import { EMPTY_STATE } from '../../src/engine/model/workspace-state.ts'
import type { OpenCall } from '../../src/engine/model/call-event.ts'
import { contextOf, order } from './a-session.ts'

const CALL: OpenCall = {
  call: 'c',
  tool: 'dig',
  source: 'global',
  owner: 'global',
  since: 3,
  startedAt: 1_000,
  limitMs: 500,
}

test.each([
  { call: 'c', now: 1_599, given: 0 },
  { call: 'c', now: 1_600, given: 1 },
  { call: 'another', now: 9_999, given: 0 },
])('the call $call is abandoned at $now: $given', async ({ call, now, given }) => {
  const command = { type: 'call.abandon', call, afterMs: 600 } as const
  const state = { ...EMPTY_STATE, calls: [CALL] }
  const { kind, drafts } = decide(state, order(command, { now }), await contextOf({}))
  expect(kind).toBe('accepted')
  expect(drafts.map(({ event }) => event)).toEqual(
    given === 0 ? [] : [{ type: 'call.abandoned', call: 'c', tool: 'dig' }],
  )
})
