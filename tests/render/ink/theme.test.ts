import { stripVTControlCharacters } from 'node:util'
import { cloneElement, type ReactElement } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Theme } from '../../../src/render/ink/theme.ts'
import { drawn } from './drawn.ts'
import { COMPONENTS } from './every-component.ts'

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
// oxlint-disable-next-line no-control-regex
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
  expect(stripVTControlCharacters(plain ?? '')).toBe(stripVTControlCharacters(coloured ?? ''))
})

test.each(named)('%s draws with ASCII only when told to', (_name, draw) => {
  const tree = cloneElement(draw(TEXT), { theme: { ascii: true, colour: false } } as object)
  const text = drawn(tree, 70)
  expect(text.length).toBeGreaterThan(10)
  expect(text).toMatch(/^[\n -~]*$/)
})
