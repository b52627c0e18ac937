import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../start-postgres.ts'
import { installTarball, packProject } from '../try-package.ts'
import { engineProject } from './engine-project.ts'
import { ENGINES, type EngineName, type EngineTrial, tryEngine } from './try-engine.ts'
import { randomDeaths, spreadDeaths } from './deaths.ts'

/**
 * `node scripts/engines/main.ts [--engine dbos]... [--points 20] [--random 0] [--seed 1]`: kills the workers of real
 * engines, at points that are spread over a turn and at random ones, with steps of the engine and without. Prints a table.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: [...ENGINES] },
    points: { type: 'string', default: '20' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})

const unknown = values.engine.filter((name) => !ENGINES.includes(name as EngineName))
if (unknown.length > 0) {
  console.error(`No engine is named ${unknown.join(', ')}. Engines: ${ENGINES.join(', ')}.`)
  process.exit(2)
}

const choose = (points: readonly string[]) => [
  ...spreadDeaths(points, Number(values.points)),
  ...randomDeaths(points.length, Number(values.random), Number(values.seed)),
]

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-engines-'))
const { tarball } = packProject(folder.path)
using project = engineProject(installTarball(tarball, []))
const postgres = await startPostgres()
const trials: EngineTrial[] = []
try {
  for (const engine of values.engine as EngineName[]) {
    for (const whole of [false, true]) {
      trials.push(await tryEngine(engine, project, { database: postgres.url, whole, choose }))
    }
  }
} finally {
  await postgres.stop()
}

const rows = trials.map(({ engine, whole, points, turns }) => {
  const count = (verdict: string) => turns.filter((turn) => turn.verdict === verdict).length
  return {
    engine,
    steps: whole ? 'none, all again' : 'of the engine',
    points: points.length,
    killed: turns.length,
    twice: count('twice'),
    once: count('once'),
    unknown: count('unknown'),
    lost: count('lost'),
    'prefix broken': turns.filter((turn) => turn.isPrefixBroken).length,
  }
})
console.table(rows)

const wrong = trials.flatMap(({ engine, whole, turns }) =>
  turns
    .filter(
      ({ verdict, isPrefixBroken, problems }) =>
        verdict === 'twice' || verdict === 'lost' || isPrefixBroken || problems.length > 0,
    )
    .map((turn) => ({ engine, whole, ...turn })),
)
if (wrong.length > 0) {
  console.error(JSON.stringify(wrong, null, 2))
  process.exitCode = 1
}
