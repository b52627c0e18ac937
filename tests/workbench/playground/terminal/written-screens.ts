/** Built by the test that compares screens: draws them with the Ink that it is built with. */
import { defineTool, type SkillDefinition } from 'loadout'
import { createElement } from 'react'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

const SKILLS: readonly SkillDefinition[] = Array.from({ length: 1_000 }, (_, index) => ({
  name: `skill-${index}`,
  displayName:
    ['Invoices', '請求書', 'Grüße 👋', 'E\u0301tudes 👨‍👩‍👧', 'Maps → north'][index % 5] + ` ${index}`,
  description: `Finds, compares and explains records of department ${index}.`,
  tags: index % 3 === 0 ? ['sql'] : [],
  requires: index % 7 === 6 ? [`skill-${index - 1}`] : [],
  instructions: `# Working with ${index}\n\n- Read first: 読む\n- Then write …`,
  tools: [
    defineTool({ name: `find_${index}`, description: 'Find one record.', execute: () => 'done' }),
    defineTool({ name: `change_${index}`, description: 'Change it 🛠.', execute: () => 'done' }),
  ],
}))

const PAGE_DOWN = '\x1b[6~'
const ESCAPE = '\x1b'
const EMPTY = '\x15'

/** Keys one by one, and some that a terminal sends together. */
const KEYS = [
  ['j', 'j', 'jjj', 'G', ' ', 'k', 'g', PAGE_DOWN, PAGE_DOWN, ' ', '\t', '\t'],
  ['2', 'j', 'j', '\r', '4', 'k', 'k', '5', 'j', 'j', '6', '8', '9', '0', '1'],
  ['2', '/', 'f', 'i', 'n', 'd', ' ', '9', EMPTY, '\r', '1', '/', '請', EMPTY, '\r'],
  ['?', ESCAPE, ':', 'a', 'c', ESCAPE, 'G', ' ', 'k', 'c'],
].flat()

/** Returns what was written after each key, and for a screen of each size. */
export async function writeScreens(): Promise<readonly string[]> {
  const { context } = await aPlayground(SKILLS)
  const theme = { ascii: false, colour: true }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  // Each change is a frame, however fast the next one follows.
  const { press, resize, output } = await realScreen(tree, 160, 45, { maxFps: 0 })
  const written = [output.written]
  const length = () => written.reduce((sum, text) => sum + text.length, 0)
  const keep = () => written.push(output.written.slice(length()))
  for (const key of KEYS) {
    await press(key)
    keep()
  }
  for (const [columns, rows] of [
    [80, 24],
    [40, 12],
    [100, 30],
  ] as const) {
    await resize(columns, rows)
    for (const key of ['j', '2', 'j', '1']) await press(key)
    keep()
  }
  return written
}
