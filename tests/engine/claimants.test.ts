import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimantsOf } from '../../src/engine/claimants.ts'
import type { OpenSource } from '../../src/engine/state.ts'

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

test('whatever was open before, the sources that claim a name are found, in their order', () => {
  const name = fc.integer({ min: 0, max: 40 }).map((index) => `tool-${index}`)
  const source = fc.array(name, { maxLength: 3 }).map((names) => sourceWith('one', names))
  const step = fc.oneof(
    fc.record({ add: fc.array(source, { minLength: 40, maxLength: 90 }) }),
    fc.record({ drop: fc.nat(300) }),
    fc.record({ replace: fc.nat(300), by: source }),
  )
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.array(name, { maxLength: 3 }),
      (steps, names) => {
        let open: readonly OpenSource[] = []
        const wanted = new Set(names)
        for (const one of steps) {
          if ('add' in one) open = [...open, ...one.add]
          else if ('drop' in one) open = open.filter((_, index) => index !== one.drop)
          else open = open.map((each, index) => (index === one.replace ? one.by : each))
          expect(claimantsOf(open, wanted)).toEqual(
            open.filter(({ claims }) => claims.some((claim) => wanted.has(claim.name))),
          )
        }
      },
    ),
    { numRuns: 200 },
  )
})
