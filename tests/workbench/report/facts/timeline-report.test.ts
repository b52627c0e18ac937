import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { Entry, WorkspaceEvent } from '../../../../src/engine/model/workspace-event.ts'
import { DEFAULT_THEME, type Theme } from '../../../../src/render/ink/parts/theme.ts'
import { timelinePane } from '../../../../src/workbench/playground/panes/timeline-pane.tsx'
import { drawn } from '../../../render/ink/drawn.ts'
import { changePane, createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { aPlayground } from '../../playground/a-playground.ts'

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

interface Shown {
  readonly width: number
  readonly entries?: readonly Entry[]
  readonly selected?: number
  readonly moment?: number
  readonly marks?: readonly number[]
  readonly foreign?: ReadonlySet<number>
  readonly theme?: Theme
}

async function timeline({ width, entries = ENTRIES, selected = 2, ...more }: Shown) {
  const { moment = null, marks = [], foreign = new Set<number>(), theme = DEFAULT_THEME } = more
  const playground = await aPlayground([])
  const ui = createUiStore('timeline')
  ui.setState({
    ...changePane(ui.getState(), 'timeline', { selected: `${selected}` }),
    moment,
    marks,
  })
  const context = { ...playground.context, ui, entries: () => entries, foreign: () => foreign }
  const props = { context, focused: true, width, height: 6, theme }
  // The time is local.
  return drawn(createElement(timelinePane.View, props), width).replaceAll(
    /\d\d:\d\d:\d\d/gv,
    '00:00:00',
  )
}

test('entries have their number, event and cause; refusals say so', async () => {
  expect(await timeline({ width: 90 })).toMatchInlineSnapshot(`
    "  #0    00:00:00 t1   turn 1 began                                            user
      #1    00:00:00 t1   skill "데이터" activated, with 0 tools                  user
    ❯ #2    00:00:00 t1   REFUSED skill.activate "x" (skill-unknown): No skill i… user
      #3    00:00:00 t1   "refund" failed with TIMEOUT after 3 ms (c1)            user
      #4 ◆  00:00:00 t1   BROKEN skill "b": its hook failed                       user
    "
  `)
})

test('the moment shown and the marks for a comparison are next to the number', async () => {
  const marks = [3, 1]
  expect(await timeline({ width: 50, moment: 2, marks })).toMatchInlineSnapshot(`
    "  #0    t1   turn 1 began
      #1 B  t1   skill "데이터" activated, with 0 to…
    ❯ #2 ◆  t1   REFUSED skill.activate "x" (skill-u…
      #3 A  t1   "refund" failed with TIMEOUT after …
      #4    t1   BROKEN skill "b": its hook failed
    "
  `)
  const theme = { ascii: true, colour: false }
  expect(await timeline({ width: 50, moment: 3, marks, theme })).toMatchInlineSnapshot(`
    "  #0    t1   turn 1 began
      #1 B  t1   skill "데이터" activated, with 0 to~
    > #2    t1   REFUSED skill.activate "x" (skill-u~
      #3 =A t1   "refund" failed with TIMEOUT after ~
      #4    t1   BROKEN skill "b": its hook failed
    "
  `)
})

test('an entry of another process has a sign, or a word where signs cannot be drawn', async () => {
  const foreign = new Set([1, 3])
  expect(await timeline({ width: 50, moment: 3, marks: [1], foreign })).toMatchInlineSnapshot(`
    "  #0     t1   turn 1 began
      #1 A ⇠ t1   skill "데이터" activated, with 0 t…
    ❯ #2     t1   REFUSED skill.activate "x" (skill-…
      #3 ◆ ⇠ t1   "refund" failed with TIMEOUT after…
      #4     t1   BROKEN skill "b": its hook failed
    "
  `)
  const theme = { ascii: true, colour: false }
  expect(await timeline({ width: 50, moment: 3, marks: [1], foreign, theme }))
    .toMatchInlineSnapshot(`
      "  #0    t1   turn 1 began
        #1 A  t1   other: skill "데이터" activated, wi~
      > #2    t1   REFUSED skill.activate "x" (skill-u~
        #3 =  t1   other: "refund" failed with TIMEOUT~
        #4    t1   BROKEN skill "b": its hook failed
      "
    `)
})

test('of a long session only the entries in view are described', async () => {
  let read = 0
  const entries = Array.from({ length: 20_000 }, (_, seq): Entry => ({
    seq,
    at: 0,
    cause: { by: 'host' },
    get event(): WorkspaceEvent {
      read += 1
      return { type: 'turn.begun', turn: seq }
    },
  }))
  expect(await timeline({ width: 50, entries, selected: 19_999 })).toMatchInlineSnapshot(`
    "▲ 19,995 more
      #19995    turn 19995 began
      #19996    turn 19996 began
      #19997    turn 19997 began
      #19998    turn 19998 began
    ❯ #19999 ◆  turn 19999 began"
  `)
  // Besides those in view, the latest ones are compared, so that equal ones are one row.
  expect(read).toBeLessThan(2 * entries.length)
})

test('a session without entries says so', async () => {
  expect(await timeline({ width: 50, entries: [] })).toBe('No entries yet.')
})
