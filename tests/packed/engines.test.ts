import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyInstalled } from '../../scripts/copy-installed.ts'
import { spreadDeaths } from '../../scripts/engines/deaths.ts'
import { engineProject, type EngineProject } from '../../scripts/engines/engine-project.ts'
import { tryEngine } from '../../scripts/engines/try-engine.ts'
import { type PostgresServer, startPostgres } from '../../scripts/start-postgres.ts'

let project: EngineProject
let postgres: PostgresServer

beforeAll(async () => {
  const packages = join(dirname(inject('packages')), 'beside-engines')
  copyInstalled(inject('packages'), packages, ['loadout'])
  project = engineProject(packages)
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres?.stop()
  project?.[Symbol.dispose]()
})

test.each([
  { engine: 'dbos', whole: false },
  { engine: 'dbos', whole: true },
  { engine: 'langgraph', whole: false },
  { engine: 'langgraph', whole: true },
] as const)(
  'a turn on an engine makes each effect once where its worker is killed: %o',
  async ({ engine, whole }) => {
    const { turns } = await tryEngine(engine, project, {
      database: postgres.url,
      whole,
      choose: (points) => spreadDeaths(points, 4),
    })
    expect(turns).toHaveLength(4)
    for (const turn of turns) {
      expect(turn).toMatchObject({ isPrefixBroken: false, problems: [] })
      expect(turn.died).toHaveLength(1)
      expect(['once', 'unknown']).toContain(turn.verdict)
    }
  },
)
