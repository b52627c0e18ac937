import fc from 'fast-check'
import type { TorturePart } from '../torture-part.ts'
import { scenes } from './deed.ts'
import { playFault, type Act, type Fault } from './play-fault.ts'

const SCENARIOS = 500

/** One call of the log, one hook, one handler fails: each of them, in many scenarios. */
export const failingParts: TorturePart = {
  name: 'failures',
  claim:
    'Whichever call of the log, hook or handler fails, the session is the one before or the one after, as is its log.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const tried = { store: 0, hook: 0, handler: 0 }
    const failures: string[] = []
    let scenarios = 0
    const wanted = Math.ceil(SCENARIOS * scale)
    for (const acts of scenariosOf(seed, wanted)) {
      if (performance.now() > until) break
      scenarios += 1
      for (const nth of FAULTS) {
        for (let at = 1; ; at += 1) {
          const { came, difference } = await playFault(acts, nth(at))
          if (!came) break
          tried[nth(at).of] += 1
          if (difference === null) continue
          failures.push([difference, ...acts.map((one) => JSON.stringify(one))].join('\n'))
          break
        }
      }
    }
    return {
      figures: {
        scenarios,
        'calls of the log that failed, before or after they were done': tried.store,
        'hooks that failed': tried.hook,
        'handlers that failed': tried.handler,
        'sessions that were neither before nor after': failures.length,
      },
      failures,
      done: scenarios / wanted,
    }
  },
}

const FAULTS: readonly ((at: number) => Fault)[] = [
  (at) => ({ of: 'store', at, when: 'before' }),
  (at) => ({ of: 'store', at, when: 'after' }),
  (at) => ({ of: 'hook', at }),
  (at) => ({ of: 'handler', at }),
]

/** Scenarios long enough to go wrong in many places. */
function scenariosOf(seed: number, count: number): readonly (readonly Act[])[] {
  return fc
    .sample(scenes, { seed, numRuns: count * 3 })
    .map((life) => life.flatMap(({ deed }) => (deed.do === 'search' ? [] : [deed])))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, count)
}
