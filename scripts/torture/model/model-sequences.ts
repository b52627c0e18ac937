import fc from 'fast-check'
import type { TorturePart } from '../torture-part.ts'
import { scenes } from './deed.ts'
import { playLife } from './play-life.ts'

const SEQUENCES = 100_000

/** Random lives of a session, with the library and with the reference model side by side. */
export const modelSequences: TorturePart = {
  name: 'model',
  claim:
    'After every command, also one in whose middle the process dies, a session is what the reference model says.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(SEQUENCES * scale)
    const seen = { sequences: 0, commands: 0, deaths: 0, entries: 0 }
    const lives = fc.asyncProperty(scenes, async (life) => {
      const { deeds, deaths, entries, difference } = await playLife(life)
      seen.sequences += 1
      seen.commands += deeds
      seen.deaths += deaths
      seen.entries += entries
      if (difference !== null) throw new Error(difference)
    })
    const details = await fc.check(lives, {
      seed,
      numRuns: wanted,
      interruptAfterTimeLimit: forMs,
    })
    const [life = []] = details.counterexample ?? []
    const problem = details.errorInstance
    const told = problem instanceof Error ? problem.message : String(problem)
    return {
      figures: {
        'random sequences of commands': seen.sequences,
        'commands, each compared': seen.commands,
        'processes that died in a command': seen.deaths,
        'entries of all logs': seen.entries,
        'differences from the model': details.failed ? 1 : 0,
      },
      failures: details.failed
        ? [[told, ...life.map((one) => JSON.stringify(one))].join('\n')]
        : [],
      done: details.failed ? 1 : seen.sequences / wanted,
    }
  },
}
