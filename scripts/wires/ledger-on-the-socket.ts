import { disagreement } from '../../tests/connections/wires/wire-sessions/disagreement.ts'
import { runWireSession } from '../../tests/connections/wires/wire-sessions/run-wire-session.ts'
import type { WireDriver } from '../../tests/connections/wires/wire-sessions/wire-driver.ts'
import { share, type WirePart } from './wire-part.ts'

const STEPS = 20

/** Runs random sessions through one adapter, and compares the ledger with each body on the socket. */
export function ledgerOnTheSocket(driver: WireDriver): WirePart {
  return {
    name: `ledger: ${driver.name}`,
    claim:
      'In random sessions of 20 requests, the ledger says of each request which part of it is the first that differs from the request before, or that none does. The socket agrees.',
    columns: [
      'adapter',
      'strategies',
      'sessions',
      'requests compared',
      'of which changed something earlier',
      'agree',
      'calls that ran twice, or whose answer was lost',
    ],
    async run({ sessions, seed: first }) {
      const seen = { compared: 0, changed: 0, agreed: 0, wrongRuns: 0, checked: 0, refused: 0 }
      const strategies = new Set<string>()
      const failures: string[] = []
      for (let seed = first; seed < first + sessions; seed += 1) {
        const { steps, violations, wrongRuns } = await runWireSession(driver, {
          seed,
          steps: STEPS,
        })
        seen.checked += steps.length
        seen.refused += new Set(violations.map(({ request }) => request)).size
        seen.wrongRuns += wrongRuns.length
        failures.push(...violations.map(({ message }) => `seed ${seed}: ${message}`))
        failures.push(...wrongRuns.map((one) => `seed ${seed}: ${one}`))
        for (const [index, now] of steps.entries()) {
          strategies.add(now.strategy)
          const before = steps[index - 1]
          if (before === undefined) continue
          seen.compared += 1
          if (now.cost.changed !== null) seen.changed += 1
          const difference = disagreement(before, now)
          if (difference === null) seen.agreed += 1
          else failures.push(`seed ${seed}, request ${index} (${now.strategy}): ${difference}`)
        }
      }
      const row = [driver.name, [...strategies].toSorted().join(', '), sessions, seen.compared]
      return {
        rows: [[...row, seen.changed, share(seen.agreed, seen.compared), seen.wrongRuns]],
        failures,
        bodies: { checked: seen.checked, refused: seen.refused },
      }
    },
  }
}
