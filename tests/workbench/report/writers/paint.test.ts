import { expect, test } from 'vitest'
import { wantsColour } from '../../../../src/workbench/report/writers/paint.ts'

test.each([
  { env: {}, isTerminal: true, colour: true },
  { env: {}, isTerminal: false, colour: false },
  { env: { TERM: 'dumb' }, isTerminal: true, colour: false },
  { env: { NO_COLOR: '1' }, isTerminal: true, colour: false },
  { env: { NO_COLOR: '' }, isTerminal: true, colour: true },
  { env: { FORCE_COLOR: '1' }, isTerminal: false, colour: true },
  { env: { FORCE_COLOR: '0' }, isTerminal: true, colour: false },
  { env: { FORCE_COLOR: 'false' }, isTerminal: true, colour: false },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTerminal: true, colour: false },
])('$env on a terminal ($isTerminal): $colour', ({ env, isTerminal, colour }) => {
  expect(wantsColour(env, isTerminal)).toBe(colour)
})
