import { expect, test } from 'vitest'
import { decide } from '../../src/engine/decide/decide.ts'
import type { Command } from '../../src/engine/model/command.ts'
import { contentHash } from '../../src/kernel/content-hash.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { contextOf, OPENING, order, stateAfter } from './a-session.ts'

const sum = defineTool({ name: 'sum', description: 'Add up.', execute: () => 1 })
const context = await contextOf({ tools: [sum] })
const state = stateAfter(context, [
  OPENING,
  {
    type: 'source.register',
    source: 'global',
    owner: 'global',
    tools: [sum],
    onConflict: 'refuse',
  },
])

function start(more: Partial<Extract<Command, { type: 'call.start' }>>): Command {
  return {
    type: 'call.start',
    call: 'c2',
    tool: 'sum',
    hash: sum.hash,
    since: 1,
    input: { ok: true, digest: contentHash({}) },
    caller: 'tool',
    confirmationMs: 1_000,
    ...more,
  }
}

const within = { call: 'c1', isOver: false, origin: 'model' as const, depth: 1, mostDepth: 4 }

test('a call within another names that call, and is one entry', () => {
  const { kind, drafts } = decide(state, order(start({ within })), context)
  expect(kind).toBe('accepted')
  expect(drafts.map(({ event }) => event)).toMatchObject([
    { type: 'call.started', call: 'c2', caller: 'tool', within: 'c1' },
  ])
})

test('a call in the background is started and detached by the same append', () => {
  const { drafts } = decide(state, order(start({ background: true })), context)
  expect(drafts.map(({ event }) => event)).toMatchObject([
    { type: 'call.started', call: 'c2' },
    { type: 'call.detached', call: 'c2', tool: 'sum', caller: 'tool' },
  ])
  expect(drafts[0]?.event).not.toHaveProperty('within')
})

test.each<{ what: string; given: Partial<typeof within>; code: string }>([
  { what: 'a call of a handler that is over', given: { isOver: true }, code: 'call-over' },
  { what: 'a call that is too deep', given: { depth: 5 }, code: 'too-deep' },
  { what: 'a call where none may be within another', given: { mostDepth: 0 }, code: 'too-deep' },
])('$what is refused before anything else: $code', ({ given, code }) => {
  const command = start({ within: { ...within, ...given }, tool: 'nobody' })
  const decision = decide(state, order(command), context)
  expect(decision).toMatchObject({ kind: 'refused', refusal: { code } })
  expect(decision.drafts.map(({ event }) => event)).toMatchObject([
    { type: 'command.refused', command: 'call.start', subject: 'nobody', code },
  ])
})

test.each([
  { what: 'another definition', found: { hash: contentHash('other') } },
  { what: 'another owner of the same definition', found: { since: 0 } },
  { what: 'nobody', found: { hash: null, since: null } },
])('a call whose arguments were checked for $what is refused: changed', ({ found }) => {
  expect(decide(state, order(start(found)), context)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'changed', facts: { replaced: true } },
  })
})

test('a call at the depth limit is accepted', () => {
  const command = start({ within: { ...within, depth: 4 } })
  expect(decide(state, order(command), context).kind).toBe('accepted')
})

test('a background call that needs an approval is not detached', () => {
  const asking = stateAfter(
    context,
    [{ type: 'policy.set', policy: { ...state.policy, ask: ['sum'] } }],
    state,
  )
  const { drafts } = decide(asking, order(start({ background: true })), context)
  expect(drafts.map(({ event }) => event.type)).toEqual(['confirmation.asked'])
})
