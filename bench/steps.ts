import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { createCatalog, defineAgent, defineTool, VirtualWorkspace } from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import pg from 'pg'
import { z } from 'zod'
import { throwawayPostgres } from './throwaway-postgres.ts'

/**
 * `npm run bench:steps`: counts what a step costs PostgreSQL. A step is one request with its call; no model is asked.
 * Prints a table and writes `results/steps.json`. Counts do not depend on the machine; the time of the processor does.
 */
const STEPS = 200
const TEXT = 'x'.repeat(400)

const server = await throwawayPostgres()
const pool = new pg.Pool({ connectionString: server.url })
let statements = 0
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: readonly unknown[]) => {
    statements += 1
    return query(...given)
  }) as typeof client.query
})
const log = await openPostgresLog(pool)

const note = defineTool({
  name: 'note',
  description: 'Keeps a note.',
  category: 'action',
  inputSchema: z.object({ text: z.string() }),
  execute: () => 'Kept.',
})
const agent = defineAgent({ name: 'clerk', prompt: 'You keep notes.' })
const catalog = await createCatalog({ tools: [note], agents: [agent] })
const open = (session: string) =>
  VirtualWorkspace.open({ catalog, agent: 'clerk', log, session, onlyProcess: true })

async function step(workspace: VirtualWorkspace, at: number): Promise<void> {
  await workspace.beginStep({ history: [{ role: 'user', content: TEXT }] })
  await workspace.callTool('note', { text: TEXT }, { caller: 'model', call: `call-${at}` })
}

const figures: object[] = []

/** Measures steps after the first one, which writes the definitions. */
async function measure(what: string, one: (at: number) => Promise<number>): Promise<void> {
  await one(0)
  statements = 0
  let opening = 0
  const cpu = process.cpuUsage()
  for (let at = 1; at <= STEPS; at += 1) opening += await one(at)
  const { user, system } = process.cpuUsage(cpu)
  figures.push({
    what,
    statements: Number((statements / STEPS).toFixed(1)),
    opening: Number((opening / STEPS).toFixed(1)),
    cpuMs: Number(((user + system) / 1_000 / STEPS).toPrecision(2)),
  })
}

try {
  const workspace = await open('kept open')
  await measure('Loadout, the workspace stays open', async (at) => {
    await step(workspace, at)
    return 0
  })
  await workspace.close()
  await measure('Loadout, opened and closed for each step', async (at) => {
    const before = statements
    const reopened = await open('reopened')
    const opening = statements - before
    await step(reopened, at)
    await reopened.close()
    return opening
  })
  await pool.query('CREATE TABLE chat (id text PRIMARY KEY, messages jsonb)')
  await pool.query(`INSERT INTO chat VALUES ('one', '[]')`)
  await measure('messages as JSON in one row', async () => {
    await pool.query('SELECT messages FROM chat WHERE id = $1', ['one'])
    const added = JSON.stringify([{ role: 'user', content: TEXT }])
    await pool.query('UPDATE chat SET messages = messages || $2 WHERE id = $1', ['one', added])
    return 0
  })
} finally {
  await log.close()
  await pool.end()
  await server.stop()
}

const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() },
  steps: STEPS,
  figures,
}
writeFileSync(new URL('results/steps.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
console.table(figures)
