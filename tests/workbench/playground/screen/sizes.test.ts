import { createElement } from 'react'
import { expect, test } from 'vitest'
import { SIZES } from '../../../../scripts/frames-of-page.ts'
import {
  currentLayout,
  type PaneArea,
} from '../../../../src/workbench/playground/context/screen-layout.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { defineTool, type SkillDefinition } from '../../../../src/entries/index.ts'
import { drawn } from '../../../render/ink/drawn.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const LONG = 'verification-before-completion'

/** Twelve skills with names as people give them, two of them with tools, one of which asks. */
const NAMES = `data-analysis music ${LONG} vue gh-fix-ci supabase-postgres-best-practices linear
  mcp-builder neon-postgres notion-meeting-intelligence theme-factory`

const SKILLS: readonly SkillDefinition[] = NAMES.split(/\s+/).map((name, place) => ({
  name,
  description: `Knows ${name}.`,
  instructions: 'Read first. '.repeat(20),
  tools:
    place > 1
      ? []
      : ['query_table', 'purge_outbox', 'describe_the_columns_of_a_table'].map((tool) =>
          defineTool({
            name: `${tool}${place}`,
            description: 'Works.',
            requiresConfirmation: tool === 'purge_outbox',
            execute: () => 'done',
          }),
        ),
}))

/** A screen of a session with a mode, a rule that denies, a question, and many entries. */
async function aBusyScreen(size: string) {
  const { context, workspace } = await aPlayground(
    [...SKILLS, { name: 'broken-requirement', description: 'Needs one.', requires: ['nobody'] }],
    { live: false },
    [],
    { policy: { mode: 'voice', permissions: { deny: ['query_table1'] } } },
  )
  await workspace.activateSkill('data-analysis')
  for (let turn = 0; turn < 30; turn += 1) await workspace.beginTurn()
  for (let times = 0; times < 5; times += 1) await workspace.activateSkill('nobody')
  await workspace.callTool('purge_outbox0', {})
  const [columns = 0, rows = 0] = size.split('x').map(Number)
  context.ui.setState({ size: { columns, rows } })
  const draw = () => {
    const props = { context, table: TABLE, theme: { ascii: false, colour: false } }
    return drawn(createElement(Screen, { ...props, size: { columns, rows } }), columns)
  }
  await context.readNext()
  return async (keys = '') => {
    await handleStrokes(keys.split(' ').filter(Boolean), context, TABLE)
    // The room of a pane depends on the width that it was drawn at.
    draw()
    const lines = draw().split('\n')
    const areas = currentLayout(context, PANES)?.panes ?? []
    const inside = ({ left, top, width, height }: PaneArea) =>
      lines.slice(top + 1, top + height - 1).map((line) => line.slice(left + 1, left + width - 1))
    return { lines, areas: areas.map((area) => ({ ...area, lines: inside(area) })) }
  }
}

/** Give each pane the focus, and show each tab next to a list. */
const KEYS = ['1', '2', '3', '4', '5', '6', '8', '9', '0', '1 6', '2 6', '4 9', '4 1 5']

const HIDES = /^\s*[▲▼] [\d,]+ more/

test.each(SIZES)('at %s no pane hides a row beside an empty one', async (size) => {
  const press = await aBusyScreen(size)
  const wrong: unknown[] = []
  for (const keys of KEYS) {
    const { areas } = await press(keys)
    for (const side of Map.groupBy(areas, ({ left }) => left).values()) {
      const hides = side.filter(({ lines }) => lines.some((line) => HIDES.test(line)))
      // A text has empty lines of its own.
      const empty = side.filter(({ pane, lines }) =>
        pane.place === 'tab'
          ? lines.at(-1)?.trim() === ''
          : lines.some((line) => line.trim() === ''),
      )
      if (hides.length > 0 && empty.length > 0) wrong.push([keys, empty.map(({ pane }) => pane.id)])
    }
  }
  expect(wrong).toEqual([])
})

/** The words of a status that have a shorter form, or that the mark of the row says as well. */
const LONG_WORDS = /\b(?:inactive|active|sent|asks first|by search|not sent|missing-requirement)\b/

test.each(SIZES)('at %s no name is cut while a status word could be shorter', async (size) => {
  const press = await aBusyScreen(size)
  for (const keys of ['1', '2']) {
    const { areas } = await press(keys)
    const lists = areas.filter(({ pane }) => ['skills', 'tools'].includes(pane.id))
    expect(lists.length).toBeGreaterThan(0)
    for (const { pane, lines } of lists) {
      const cut = lines.filter((line) => /^.{2}[●○✗◐].?\s+\S+…/.test(line))
      const wordy = cut.length === 0 ? [] : lines.filter((line) => LONG_WORDS.test(line.slice(5)))
      expect([keys, pane.id, wordy]).toEqual([keys, pane.id, []])
    }
  }
})

test.each(SIZES)(
  'at %s the first line says the mode, that it is read-only, and what asks',
  async (size) => {
    const { lines } = await (await aBusyScreen(size))()
    for (const part of ['read-only', 'mode voice', '1 question']) expect(lines[0]).toContain(part)
  },
)

test('entries that say the same are one row, which a key unfolds', async () => {
  const press = await aBusyScreen('200x60')
  const refused = async (keys: string) =>
    (await press(keys)).lines.filter((line) => line.includes('REFUSED'))
  expect(await refused('4')).toEqual([expect.stringContaining('5 times: REFUSED')])
  expect(await refused('k z')).toHaveLength(5)
  expect(await refused('z')).toHaveLength(1)
})

test.each(SIZES)('the screen at %s', async (size) => {
  const { lines } = await (await aBusyScreen(size))()
  const text = lines.join('\n').replaceAll(/\b\d\d:\d\d:\d\d\b/g, '12:00:00')
  await expect(`${text}\n`).toMatchFileSnapshot(`sizes/${size}.txt`)
})
