import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Picker } from '../../../src/workbench/playground/open-picker.tsx'
import { realScreen } from './real-screen.ts'

const ROWS = ['support 1', 'support 2', 'billing 3'].map((text, at) => ({ id: `s${at + 1}`, text }))

async function aPicker(rows = ROWS) {
  const chosen: (string | null)[] = []
  const picker = createElement(Picker, {
    title: 'Follow a session',
    head: 'AGENT',
    rows,
    theme: { ascii: true, colour: false },
    onChosen: (id) => void chosen.push(id),
  })
  const screen = await realScreen(picker, 50, 9)
  return { ...screen, chosen }
}

/** Splits typed bytes into keys: an escape sequence is one. */
function keysOf(bytes: string): readonly string[] {
  return bytes
    .split('\x1b[')
    .flatMap((part, at) => (at === 0 ? [...part] : [`\x1b[${part.slice(0, 1)}`, ...part.slice(1)]))
}

test('the list has a cursor, and the keys below it', async () => {
  const { screen } = await aPicker()
  expect(screen()).toMatchInlineSnapshot(`
    "+-[Follow a session]-----------------------------+
    |/ _                                             |
    |  AGENT                                         |
    |> support 1                                     |
    |  support 2                                     |
    |  billing 3                                     |
    |                                                |
    +------------------------------------------------+
    Enter choose  Up Down move  letters filter  Esc l~"
  `)
})

test.each<{ keys: string; id: string | null }>([
  { keys: '\r', id: 's1' },
  { keys: '\x1b[B\r', id: 's2' },
  { keys: '\x1b[F\r', id: 's3' },
  { keys: '\x1b[B\x1b[A\r', id: 's1' },
  { keys: 'bill\r', id: 's3' },
  // The letters in their order, when nothing contains the word.
  { keys: 'bng\r', id: 's3' },
  { keys: 'bill\x15\r', id: 's1' },
  { keys: 'sup\x1b[B\r', id: 's2' },
  { keys: 'xyz\r\x7f\x7f\x7f\r', id: 's1' },
  { keys: '\x03', id: null },
])('the keys $keys choose $id', async ({ keys, id }) => {
  const { press, chosen } = await aPicker()
  for (const key of keysOf(keys)) await press(key)
  expect(chosen).toEqual([id])
})

test('Esc removes the filter first, and then leaves', async () => {
  const { press, screen, chosen } = await aPicker()
  await press('xyz')
  expect(screen()).toContain('Nothing matches "xyz".')
  await press('\x1b')
  expect(screen()).toContain('billing 3')
  expect(chosen).toEqual([])
  await press('\x1b')
  expect(chosen).toEqual([null])
})

test('more rows than the screen has scroll with the cursor', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, text: `session ${at}` }))
  const { press, screen, chosen } = await aPicker(rows)
  await press('\x1b[6~')
  await press('\x1b[F')
  expect(screen()).toContain('> session 39')
  expect(screen()).toContain('more')
  await press('\r')
  expect(chosen).toEqual(['39'])
})
