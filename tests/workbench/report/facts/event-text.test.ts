import { expect, test } from 'vitest'
import type { Entry, WorkspaceEvent } from '../../../../src/entries/index.ts'
import { eventText } from '../../../../src/workbench/report/facts/event-text.ts'
import { describeEntries } from '../../../../src/workbench/report/facts/timeline-report.ts'

const hash = `sha256:${'0'.repeat(64)}` as const

const started = (call: string): WorkspaceEvent => ({
  type: 'call.started',
  call,
  tool: 'Read',
  source: 'global',
  owner: 'agent',
  hash,
  digest: hash,
  category: 'utility',
  caller: 'model',
  confirmation: null,
})

const ended = (call: string): WorkspaceEvent => ({
  type: 'call.ended',
  call,
  tool: 'Read',
  ok: true,
  error: null,
  durationMs: 0,
  intents: [],
})

const compacted = (before?: number, tokens = 0): WorkspaceEvent => ({
  type: 'session.compacted',
  sections: [],
  rules: [],
  tokens,
  ...(before !== undefined && { before }),
})

const closed = (owner: string, names: readonly string[] | null = null): WorkspaceEvent => ({
  type: 'source.closed',
  source: names === null ? 'skill' : 'global',
  owner,
  names,
})

const step = (number: number): WorkspaceEvent => ({
  type: 'step.begun',
  step: number,
  strategy: 'observed',
  exposed: [],
  sections: [],
})

const reported = (number: number, input: number): WorkspaceEvent => ({
  type: 'step.reported',
  step: number,
  usage: { input, output: 1 },
})

function textsOf(...events: readonly WorkspaceEvent[]): readonly string[] {
  const entries = events.map((event, seq): Entry => ({ seq, at: 0, cause: { by: 'host' }, event }))
  return entries.flatMap((entry) =>
    entry.event.type === 'session.compacted' ? [eventText(entries, entry)] : [],
  )
}

test('a compaction of another agent says what it lost', () => {
  expect(
    textsOf(
      step(1),
      started('a'),
      started('b'),
      ended('a'),
      compacted(29_020, 2_799),
      closed('tidy-notes'),
      closed('plan-week'),
      closed('agent', ['Read']),
      closed('later'),
      step(2),
      reported(2, 9_000),
    ),
  ).toEqual([
    'history of 29020 tokens summarised to 2799, 26221 fewer; it had 2 calls and 1 result; lost: the instructions of "tidy-notes", "plan-week"',
  ])
})

test.each([
  ['the first request after it', [step(2), reported(2, 4_000)], ' to 4000, 25020 fewer'],
  ['not a request before it', [reported(1, 4_000)], ''],
  ['not a request after the next one', [compacted(1), step(2), reported(2, 4_000)], ''],
  ['not one that has more', [step(2), reported(2, 40_000)], ''],
  ['nothing', [], ''],
])('its tokens after it are those of %s', (_, after, expected) => {
  const [text] = textsOf(step(1), compacted(29_020), ...after)
  expect(text).toBe(`history of 29020 tokens summarised${expected}`)
})

test('a second compaction has the calls since the first one, and one whose tokens are not known does not say 0', () => {
  expect(textsOf(started('a'), compacted(0), started('b'), ended('b'), compacted(50))).toEqual([
    'history summarised; it had 1 call and 0 results',
    'history of 50 tokens summarised; it had 1 call and 1 result',
  ])
})

test('that of Loadout itself, and every other event, keeps its words', () => {
  expect(textsOf(started('a'), compacted(undefined, 12))).toEqual([
    'history summarised, 12 tokens sent again',
  ])
})

test('the lines of a session have it', () => {
  const events = [started('a'), compacted(9), closed('x')]
  const entries = events.map((event, seq): Entry => ({ seq, at: 0, cause: { by: 'host' }, event }))
  expect(describeEntries(entries)[1]?.text).toBe(
    '#1 by the host: history of 9 tokens summarised; it had 1 call and 0 results; lost: the instructions of "x"',
  )
})
