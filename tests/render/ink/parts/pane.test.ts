import fc from 'fast-check'
import { Text } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../../src/kernel/display-width.ts'
import { Pane } from '../../../../src/render/ink/parts/pane.tsx'
import { drawn } from '../drawn.ts'

const ASCII = { ascii: true, colour: false }

test('a pane has its title and status in the border', () => {
  const pane = createElement(
    Pane,
    { title: 'Skills', status: '3 of 12', width: 30, height: 4 },
    createElement(Text, {}, 'inside'),
  )
  expect(drawn(pane, 40)).toMatchInlineSnapshot(`
    "╭─ Skills ───────── 3 of 12 ─╮
    │inside                      │
    │                            │
    ╰────────────────────────────╯"
  `)
})

test('the focused pane has its title in brackets, also without colours and in ASCII', () => {
  const pane = createElement(
    Pane,
    { title: 'Skills', status: '3 of 12', focused: true, width: 30, height: 4, theme: ASCII },
    createElement(Text, {}, 'inside'),
  )
  expect(drawn(pane, 40)).toMatchInlineSnapshot(`
    "+-[Skills]--------- 3 of 12 -+
    |inside                      |
    |                            |
    +----------------------------+"
  `)
})

test('content that does not fit is cut: first the status, then the title, then the inside', () => {
  const pane = createElement(
    Pane,
    { title: '도구함 🧰 and a long name', status: '3 of 12', width: 22, height: 4 },
    createElement(Text, { wrap: 'truncate' }, 'inside is more than can be shown here'),
    createElement(Text, {}, 'second'),
    createElement(Text, {}, 'third'),
  )
  expect(drawn(pane, 40)).toMatchInlineSnapshot(`
    "╭─ 도구함 🧰 and a… ─╮
    │inside is more than…│
    │second              │
    ╰────────────────────╯"
  `)
})

test('its lines have exactly the given width, and their number is the given height', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '검', '🧰', 'e\u0301', '\u202E') })
  fc.assert(
    fc.property(
      text,
      text,
      fc.boolean(),
      fc.integer({ min: 10, max: 60 }),
      fc.integer({ min: 3, max: 9 }),
      (title, status, focused, width, height) => {
        const pane = createElement(Pane, { title, status, focused, width, height })
        const lines = drawn(pane, 80).split('\n')
        expect(lines.map(displayWidth)).toEqual(Array.from({ length: height }, () => width))
      },
    ),
    { numRuns: 50 },
  )
})

test.each([
  ['12 of 120 activated', 40, '12 of 120 activated'],
  ['12 of 120 activated', 30, '12 of 120…'],
  ['/owl: 12 of 120 activated', 24, '/owl:…'],
  ['unbroken', 20, ''],
])('the status %j in %d columns is shown as %j', (status, width, shown) => {
  const pane = createElement(Pane, { title: 'Skills', status, width, height: 3 })
  const end = shown === '' ? '──╮' : ` ${shown} ─╮`
  expect(drawn(pane, 60).split('\n')[0]).toMatch(end)
})

test.each([
  [60, true, '╭─ 1 Prompt ─[2 Why it is so]─ 3 Diff ──────────── status ─╮'],
  [60, false, '╭─ 1 Prompt ─(2 Why it is so)─ 3 Diff ──────────── status ─╮'],
  [34, true, '╭─ 1 ─[2 Why it is so]─ 3 ───────╮'],
  [16, true, '╭─[2 Why it …]─╮'],
])('the tabs of a frame of %d columns, focused: %j', (width, focused, line) => {
  const tabs = ['1 Prompt', '2 Why it is so', '3 Diff']
  const status = width > 40 ? 'status' : ''
  const pane = { title: '2 Why it is so', tabs, focused, status, width, height: 3 }
  expect(drawn(createElement(Pane, pane), 60).split('\n')[0]).toBe(line)
})
