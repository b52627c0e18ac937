import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimantsOf } from '../../../src/engine/standing/place-claims.ts'
import type { OpenSource } from '../../../src/engine/model/source-event.ts'

const sourceWith = (owner: string, names: readonly string[]): OpenSource => ({
  source: 'skill',
  owner,
  definition: null,
  lifetime: 'session',
  requested: true,
  usesLeft: null,
  turn: 0,
  lastTurn: 0,
  since: 1,
  cause: { by: 'user' },
  claims: names.map((name) => ({
    name,
    definedAs: name,
    hash: `sha256:${name}`,
    version: '1.0.0',
    bound: true,
    onConflict: 'refuse' as const,
    since: 1,
  })),
})

const MANY = Array.from({ length: 200 }, (_, index) => sourceWith(`skill-${index}`, [`t-${index}`]))
const newcomer = sourceWith('newcomer', ['wanted'])

test('after any changes of the open sources, those that claim a name are found in their order', () => {
  const place = fc.nat(MANY.length - 1)
  const step = fc.oneof(
    fc.record({ at: place, put: fc.constantFrom(0, 1), drop: fc.constantFrom(0, 1) }),
    fc.constant('start again' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let open: readonly OpenSource[] = MANY
      for (const one of steps) {
        open =
          one === 'start again'
            ? MANY
            : open.toSpliced(one.at, one.drop, ...(one.put ? [newcomer] : []))
        expect(claimantsOf(open, new Set(['wanted', 't-7']))).toEqual(
          open.filter(({ owner }) => owner === 'newcomer' || owner === 'skill-7'),
        )
        expect(claimantsOf(open, new Set(['wanted']))).toEqual(
          open.filter(({ owner }) => owner === 'newcomer'),
        )
      }
    }),
  )
})
