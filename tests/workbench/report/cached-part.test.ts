import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROVIDER_FACTS, predictChange, type RequestPart } from '../../../src/entries/adapter.ts'
import { keptText } from '../../../src/entries/plan.ts'
import type { ProviderName } from '../../../src/entries/index.ts'
import { cachedPart, cachedTokens } from '../../../src/workbench/report/facts/request-report.ts'

const PROVIDERS = Object.keys(PROVIDER_FACTS) as ProviderName[]

const parts = fc.array(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), tokens: fc.nat({ max: 3000 }) }),
  { maxLength: 6 },
)

const image = fc.record({ tools: parts, instructions: parts, conversation: parts }).map((all) => {
  const keyed = (some: typeof all.tools): RequestPart[] =>
    some.map((one) => ({ ...one, key: `${one.id} ${one.tokens}` }))
  return {
    tools: keyed(all.tools),
    instructions: keyed(all.instructions),
    conversation: keyed(all.conversation),
  }
})

test('at every provider, what is called cached is what its price has as cached', () => {
  const names = fc.constantFrom(...PROVIDERS)
  fc.assert(
    fc.property(names, image, image, fc.boolean(), (provider, before, other, isSame) => {
      const facts = PROVIDER_FACTS[provider]
      const next = isSame
        ? { ...before, conversation: [...before.conversation, ...other.tools] }
        : other
      const { kept, price, parts: placed } = predictChange(before, next, facts)
      const total = placed.reduce((sum, { tokens }) => sum + tokens, 0)
      const cached = cachedTokens({ provider, kept })
      expect(cached * facts.read + (total - cached) * facts.write).toBeCloseTo(price, 5)
    }),
  )
})

test('at every provider, a screen says "kept" of tokens only where they are cached', () => {
  const names = fc.constantFrom(...PROVIDERS)
  fc.assert(
    fc.property(names, fc.nat({ max: 9000 }), fc.nat({ max: 9000 }), (provider, kept, more) => {
      const { minimum, grain } = PROVIDER_FACTS[provider]
      const part = cachedPart({ previous: kept + more, kept }, { provider })
      const text = keptText(part)
      if (kept > 0 && kept < minimum) {
        expect(text).toBe(`nothing cached below ${minimum.toLocaleString('en')}`)
        return
      }
      expect(part.kept % grain).toBe(0)
      expect(kept - part.kept).toBeLessThan(grain)
      if (part.previous > 0) expect(text).toContain(`kept ${part.kept.toLocaleString('en')} of`)
    }),
  )
})

test('of a provider whose rules are not known, all that is shared counts', () => {
  expect(cachedTokens({ provider: 'of my own', kept: 7 })).toBe(7)
})
