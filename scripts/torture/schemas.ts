import fc from 'fast-check'
import { readInputSchema } from '../../src/schema/interpreter/read-schema.ts'
import {
  isComparable,
  match,
  randomPattern,
  randomText,
} from '../../tests/schema/interpreter/random-pattern.ts'
import {
  randomArguments,
  randomSchema,
  reference,
} from '../../tests/schema/interpreter/random-schema.ts'
import type { TorturePart } from './torture-part.ts'

const RUNS = 100_000

/** Checks random arguments and texts with our validator, and with those of others. */
export const schemas: TorturePart = {
  name: 'schemas',
  claim:
    'Arguments have the verdict of an independent validator, and patterns match what the engine of the runtime matches.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(RUNS * scale)
    const seen = { schemas: 0, accepted: 0, patterns: 0, found: 0 }
    const options = { seed, numRuns: wanted, interruptAfterTimeLimit: forMs / 2 }
    const verdicts = await fc.check(
      fc.asyncProperty(randomSchema, randomArguments, async (schema, input) => {
        // The independent validator does not see this name.
        fc.pre(!JSON.stringify(schema).includes('"__proto__'))
        const ok = await reference(schema, input)
        seen.schemas += 1
        seen.accepted += ok ? 1 : 0
        return (await readInputSchema(schema).parse(input)).ok === ok
      }),
      options,
    )
    const matches = fc.check(
      fc.property(randomPattern, randomText, (pattern, text) => {
        fc.pre(isComparable(pattern, text))
        const found = new RegExp(pattern, 'u').test(text)
        seen.patterns += 1
        seen.found += found ? 1 : 0
        return match(pattern, text).found === found
      }),
      options,
    )
    const failed = [verdicts, matches].filter((one) => one.failed)
    return {
      figures: {
        'arguments checked with random schemas': seen.schemas,
        'of them valid': seen.accepted,
        'texts searched for random patterns': seen.patterns,
        'of them matching': seen.found,
        'verdicts that differ': failed.length,
      },
      failures: failed.map(({ counterexample, errorInstance }) =>
        [JSON.stringify(counterexample), String(errorInstance ?? '')].join('\n'),
      ),
      done: failed.length > 0 ? 1 : (seen.schemas + seen.patterns) / (2 * wanted),
    }
  },
}
