import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { Entry, WorkspaceEvent } from '../../../../src/engine/model/workspace-event.ts'
import { Timeline, type TimelineProps } from '../../../../src/render/ink/views/timeline.tsx'
import { drawn } from '../drawn.ts'

const hash = `sha256:${'0'.repeat(64)}` as const
const EVENTS: readonly WorkspaceEvent[] = [
  { type: 'turn.begun', turn: 1 },
  {
    type: 'source.opened',
    source: 'skill',
    owner: '데이터',
    definition: hash,
    claims: [],
    lifetime: 'session',
    requested: true,
  },
  {
    type: 'command.refused',
    command: 'skill.activate',
    subject: 'x',
    code: 'skill-unknown',
    message: 'No skill is named "x".',
    hint: '',
  },
  {
    type: 'call.ended',
    call: 'c1',
    tool: 'refund',
    ok: false,
    error: 'TIMEOUT',
    durationMs: 3,
    intents: [],
  },
  { type: 'skill.broken', skill: 'b', message: 'its hook failed' },
]
const ENTRIES = EVENTS.map((event, seq): Entry => ({ seq, at: 0, cause: { by: 'user' }, event }))

function timeline(props: Partial<TimelineProps> & { readonly width: number }): string {
  const rest = { entries: ENTRIES, selected: 2, moment: null, marks: [], height: 6 }
  const text = drawn(createElement(Timeline, { ...rest, ...props }), props.width)
  // The time is local.
  return text.replaceAll(/\d\d:\d\d:\d\d/gv, '00:00:00')
}

test('entries have their number, event and cause; refusals say so', () => {
  expect(timeline({ width: 90 })).toMatchInlineSnapshot(`
    "  #0    00:00:00 turn 1 began                                                 user
      #1    00:00:00 skill "데이터" activated, with 0 tools                       user
    ❯ #2    00:00:00 REFUSED skill.activate "x" (skill-unknown): No skill is nam… user
      #3    00:00:00 "refund" failed with TIMEOUT after 3 ms (c1)                 user
      #4 ◆  00:00:00 BROKEN skill "b": its hook failed                            user
    "
  `)
})

test('the moment shown and the marks for a comparison are next to the number', () => {
  const marks = [3, 1]
  expect(timeline({ width: 50, moment: 2, marks })).toMatchInlineSnapshot(`
    "  #0    turn 1 began
      #1 B  skill "데이터" activated, with 0 tools
    ❯ #2 ◆  REFUSED skill.activate "x" (skill-unknow…
      #3 A  "refund" failed with TIMEOUT after 3 ms …
      #4    BROKEN skill "b": its hook failed
    "
  `)
  const theme = { ascii: true, colour: false }
  expect(timeline({ width: 50, moment: 3, marks, theme })).toMatchInlineSnapshot(`
    "  #0    turn 1 began
      #1 B  skill "데이터" activated, with 0 tools
    > #2    REFUSED skill.activate "x" (skill-unknow~
      #3 =A "refund" failed with TIMEOUT after 3 ms ~
      #4    BROKEN skill "b": its hook failed
    "
  `)
})

test('an entry of another process has a sign, or a word where signs cannot be drawn', () => {
  const foreign = new Set([1, 3])
  expect(timeline({ width: 50, moment: 3, marks: [1], foreign })).toMatchInlineSnapshot(`
    "  #0     turn 1 began
      #1 A ⇠ skill "데이터" activated, with 0 tools
    ❯ #2     REFUSED skill.activate "x" (skill-unkno…
      #3 ◆ ⇠ "refund" failed with TIMEOUT after 3 ms…
      #4     BROKEN skill "b": its hook failed
    "
  `)
  const theme = { ascii: true, colour: false }
  expect(timeline({ width: 50, moment: 3, marks: [1], foreign, theme })).toMatchInlineSnapshot(`
    "  #0    turn 1 began
      #1 A  other: skill "데이터" activated, with 0 ~
    > #2    REFUSED skill.activate "x" (skill-unknow~
      #3 =  other: "refund" failed with TIMEOUT afte~
      #4    BROKEN skill "b": its hook failed
    "
  `)
})

test('of a long session only the entries in view are described', () => {
  let read = 0
  const event: WorkspaceEvent = { type: 'turn.begun', turn: 1 }
  const entries = Array.from({ length: 20_000 }, (_, seq): Entry => ({
    seq,
    at: 0,
    cause: { by: 'host' },
    get event() {
      read += 1
      return event
    },
  }))
  expect(timeline({ width: 50, entries, selected: 19_999 })).toMatchInlineSnapshot(`
    "▲ 19,995 more
      #19995    turn 1 began
      #19996    turn 1 began
      #19997    turn 1 began
      #19998    turn 1 began
    ❯ #19999 ◆  turn 1 began"
  `)
  expect(read).toBe(5)
})

test('a session without entries says so', () => {
  expect(timeline({ width: 50, entries: [] })).toBe('No entries yet.')
})
