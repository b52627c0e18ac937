import { expect, test } from 'vitest'
import { disagreement } from './disagreement.ts'
import { runWireSession } from './run-wire-session.ts'
import { WIRE_DRIVERS } from './wire-drivers.ts'

const SESSIONS = Number(process.env['WIRE_SESSIONS'] ?? 3)
const FIRST = Number(process.env['WIRE_SEED'] ?? 1)
const STEPS = 20

test.each(WIRE_DRIVERS)(
  '$name: the ledger says of each request where it begins to differ, and the socket agrees',
  async (driver) => {
    for (let seed = FIRST; seed < FIRST + SESSIONS; seed += 1) {
      const { steps, violations, deeds, wrongRuns } = await runWireSession(driver, {
        seed,
        steps: STEPS,
      })
      expect(violations).toEqual([])
      expect(wrongRuns).toEqual([])
      for (const [index, now] of steps.entries()) {
        const before = steps[index - 1]
        if (before === undefined) continue
        const difference = disagreement(before, now)
        expect(
          difference,
          `seed ${seed}, request ${index} (${now.strategy}); ${deeds.join('; ')}`,
        ).toBe(null)
      }
    }
  },
)
