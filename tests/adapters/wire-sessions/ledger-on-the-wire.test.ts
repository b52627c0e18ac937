import { expect, test } from 'vitest'
import { AI_SDK_DRIVERS } from './ai-sdk-drivers.ts'
import { OPENAI_DRIVERS } from './openai-drivers.ts'
import { disagreement, runWireSession } from './run-wire-session.ts'

const SESSIONS = Number(process.env['WIRE_SESSIONS'] ?? 3)
const STEPS = 20

test.each([...AI_SDK_DRIVERS, ...OPENAI_DRIVERS])(
  '$name: the ledger says of each request where it begins to differ, and the socket agrees',
  async (driver) => {
    for (let seed = 1; seed <= SESSIONS; seed += 1) {
      const { steps, violations, deeds } = await runWireSession(driver, { seed, steps: STEPS })
      expect(violations).toEqual([])
      for (const [index, now] of steps.entries()) {
        const before = steps[index - 1]
        if (before === undefined) continue
        const told = disagreement(before, now)
        expect(told, `seed ${seed}, request ${index} (${now.strategy}); ${deeds.join('; ')}`).toBe(
          null,
        )
      }
    }
  },
  120_000,
)
