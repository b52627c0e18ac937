import { WIRE_DRIVERS } from '../../tests/connections/wires/wire-sessions/wire-drivers.ts'
import { compareBodies } from '../../tests/wires/compare/compare-bodies.ts'
import { promptParts } from '../../tests/wires/compare/prompt-parts.ts'
import { OF_AN_OFFICE, runOffice } from './run-office.ts'
import { share, type WirePart } from './wire-part.ts'

const STRATEGIES = ['active', 'append', 'deferred', 'conversation', 'bridge'] as const

const CONVERSATIONS = 5

/** Runs the same conversations under every strategy that an adapter can carry, and counts what is kept. */
export const keptByStrategy: WirePart = {
  name: 'strategies',
  claim: `${CONVERSATIONS} ${OF_AN_OFFICE}, under each strategy that the adapter carries: the requests that begin with all of the one before, and the bytes of the one before that are kept.`,
  columns: ['adapter', 'strategy', 'same tools', 'all is kept', 'bytes kept'],
  async run({ seed: first }) {
    const rows: (string | number)[][] = []
    const failures: string[] = []
    const bodies = { checked: 0, refused: 0 }
    for (const driver of WIRE_DRIVERS) {
      for (const strategy of STRATEGIES) {
        const seen = { pairs: 0, same: 0, kept: 0, bytes: 0, keptBytes: 0 }
        for (let seed = first; seed < first + CONVERSATIONS; seed += 1) {
          const found = await runOffice(driver, seed, strategy)
          bodies.checked += found.requests.length
          bodies.refused += found.refused
          failures.push(
            ...found.violations.map(({ message }) => `${driver.name}, seed ${seed}: ${message}`),
          )
          if (found.strategies.some((one) => one !== strategy)) break
          for (const [index, { wire, body }] of found.requests.entries()) {
            const before = found.requests[index - 1]
            if (before === undefined) continue
            const { changed, keptBytes } = compareBodies(wire, before.body, body)
            const parts = promptParts(wire, before.body)
            seen.pairs += 1
            seen.bytes += parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
            seen.keptBytes += keptBytes
            if (changed === null) seen.kept += 1
            if (JSON.stringify(before.body.tools) === JSON.stringify(body.tools)) seen.same += 1
          }
        }
        const { pairs, same, kept, bytes, keptBytes } = seen
        if (pairs === 0) continue
        const shares = [share(same, pairs), share(kept, pairs), share(keptBytes, bytes)]
        rows.push([driver.name, `\`${strategy}\``, ...shares])
      }
    }
    return { rows, failures, bodies }
  },
}
