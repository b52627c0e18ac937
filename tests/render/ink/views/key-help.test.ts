import { createElement } from 'react'
import { expect, test } from 'vitest'
import { KeyHelp } from '../../../../src/render/ink/views/key-help.tsx'
import { drawn } from '../drawn.ts'

const GROUPS = [
  {
    title: 'Everywhere',
    rows: [
      { keys: ['?'], title: 'Show this help' },
      { keys: ['tab', 'shift+tab'], title: 'Go to the next or the last pane' },
    ],
  },
  { title: 'Skills', rows: [{ keys: ['space'], title: 'Activate or deactivate' }] },
]

test('keys and their actions are in two columns', () => {
  const frames = [50, 24].map((width) =>
    drawn(createElement(KeyHelp, { groups: GROUPS, width, height: 5 }), width),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "Everywhere
      ?               Show this help
      tab, shift+tab  Go to the next or the last pane
    Skills
      space           Activate or deactivate

    Everywhere
      ?         Show this h…
      tab, sh…  Go to the n…
    Skills
      space     Activate or…"
  `)
})

test('help that is too long is scrolled', () => {
  const help = createElement(KeyHelp, { groups: GROUPS, width: 50, height: 3, scroll: 9 })
  expect(drawn(help, 50)).toMatchInlineSnapshot(`
    "▲ 3 more
    Skills
      space           Activate or deactivate"
  `)
})
