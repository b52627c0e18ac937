import { WIRE_DRIVERS } from '../../tests/connections/wires/wire-sessions/wire-drivers.ts'
import { compareBodies } from '../../tests/wires/compare/compare-bodies.ts'
import { OF_AN_OFFICE, runOffice } from './run-office.ts'
import { share, type WirePart } from './wire-part.ts'

/** Activates and deactivates skills in the middle of a conversation, and compares what was sent before. */
export const sameTools: WirePart = {
  name: 'tools',
  claim: `In ${OF_AN_OFFICE}, under the strategy \`conversation\`, the \`tools\` array is the same bytes in every request, and the rest of each request begins with that of the request before.`,
  columns: ['adapter', 'conversations', 'requests', 'same tools', 'earlier input is a prefix'],
  async run({ sessions, seed: first }) {
    const rows: (string | number)[][] = []
    const failures: string[] = []
    const bodies = { checked: 0, refused: 0 }
    for (const driver of WIRE_DRIVERS) {
      const seen = { requests: 0, same: 0, pairs: 0, kept: 0, conversations: 0 }
      for (let seed = first; seed < first + sessions; seed += 1) {
        const found = await runOffice(driver, seed)
        if (found.strategies.some((strategy) => strategy !== 'conversation')) break
        const { requests, violations, refused } = found
        bodies.checked += requests.length
        bodies.refused += refused
        failures.push(
          ...violations.map(({ message }) => `${driver.name}, seed ${seed}: ${message}`),
        )
        seen.conversations += 1
        const tools = requests.map(({ body }) => JSON.stringify(body.tools))
        for (const [index, { wire, body }] of requests.entries()) {
          seen.requests += 1
          if (tools[index] === tools[0]) seen.same += 1
          else failures.push(`${driver.name}, seed ${seed}, request ${index}: other tools`)
          const before = requests[index - 1]
          if (before === undefined) continue
          seen.pairs += 1
          const { changed } = compareBodies(wire, before.body, body)
          if (changed === null) seen.kept += 1
          else failures.push(`${driver.name}, seed ${seed}, request ${index}: ${changed.part}`)
        }
      }
      if (seen.conversations === 0) continue
      const { conversations, requests, same, kept, pairs } = seen
      rows.push([driver.name, conversations, requests, share(same, requests), share(kept, pairs)])
    }
    return { rows, failures, bodies }
  },
}
