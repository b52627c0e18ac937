import { stripVTControlCharacters } from 'node:util'
import { cloneElement, createElement, type ReactElement } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { PromptView } from '../../../../src/render/ink/views/prompt-view.tsx'
import type { Theme } from '../../../../src/render/ink/parts/theme.ts'
import { drawn } from '../drawn.ts'
import { COMPONENTS } from '../every-component.ts'

// What Ink colours with looks at this once, when it is loaded.
vi.hoisted(() => {
  process.env['FORCE_COLOR'] = '1'
})
const { renderToString } = await import('ink')

const named = Object.entries(COMPONENTS)

/** Long enough to be cut or wrapped everywhere. */
const TEXT =
  'some words that are too long for one line of the screen, whatever draws them. '.repeat(4)

/** Colours, but not bold, dim or the other way round, which need none. */
// oxlint-disable-next-line no-control-regex -- reads what a terminal is sent
const COLOUR = /\u001B\[(3[0-79]|4[0-79]|9\d|10\d|[34]8;[\d;]+)m/

function screen(draw: (text: string) => ReactElement, theme: Theme): string {
  return renderToString(cloneElement(draw(TEXT), { theme } as object), { columns: 70 })
}

beforeAll(() => {
  const coloured = named.filter(([, draw]) =>
    COLOUR.test(screen(draw, { ascii: false, colour: true })),
  )
  expect(coloured.length).toBeGreaterThan(6)
})

test.each(named)('%s says the same without colours', (_name, draw) => {
  const [coloured, plain] = [true, false].map((colour) => screen(draw, { ascii: false, colour }))
  expect(plain).not.toMatch(COLOUR)
  // The bar of the chosen row is as wide as the line.
  const words = (text = '') => stripVTControlCharacters(text).replaceAll(/ +$/gm, '')
  expect(words(plain)).toBe(words(coloured))
})

test.each(named)('%s draws with ASCII alone in the ASCII theme', (_name, draw) => {
  const tree = cloneElement(draw(TEXT), { theme: { ascii: true, colour: false } } as object)
  const text = drawn(tree, 70)
  expect(text.length).toBeGreaterThan(10)
  expect(text).toMatch(/^[\n -~]*$/)
})

test.each([
  { text: 'a table', search: 'table', marked: ['table'] },
  { text: 'Table, TABLE', search: 'table', marked: ['Table', 'TABLE'] },
  // Its first letter is two in small: nothing is marked rather than the wrong letters.
  { text: 'İstanbul table', search: 'table', marked: [] },
])('of "$text" a search for "$search" marks $marked', ({ text, search, marked }) => {
  const section = { id: 's', title: 's', stability: 'step', placement: 'conversation' } as const
  const tree = createElement(PromptView, {
    sections: [{ ...section, tokens: 1, text, folded: false }],
    selected: null,
    search,
    tokens: 2,
    tokenizer: 't',
    width: 70,
    height: 6,
  })
  // oxlint-disable-next-line no-control-regex -- reads what a terminal is sent
  const found = renderToString(tree, { columns: 70 }).matchAll(/\u001B\[7m([^\u001B]*)\u001B/g)
  expect([...found].map(([, letters]) => letters)).toEqual(marked)
})
