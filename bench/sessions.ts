import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog, createMemoryLog, type EventLog } from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import { openSqliteLog } from 'loadout/sqlite'
import { measureReopened } from './measure-reopened.ts'
import { measureSessions, type SessionFigure } from './measure-sessions.ts'
import { measureWaiters } from './measure-waiters.ts'
import { throwawayPostgres } from './throwaway-postgres.ts'

/**
 * `npm run bench:sessions`: measures how fast logs append entries and read sessions, requests of sessions that
 * are opened for each, and calls while others wait for the end of one; prints a table and writes `results/sessions.json`. PostgreSQL is a real one on this machine: its disk, without a network.
 * `BENCH_DATE` overrides the date of the run.
 */
const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'))
const server = await throwawayPostgres()
const figures: SessionFigure[] = []
const catalog = await createCatalog({})

type Opened = EventLog & { close?(): Promise<void> }
const logs: readonly { readonly name: string; open(): Promise<Opened> }[] = [
  { name: 'memory', open: async () => createMemoryLog() },
  ...(['os', 'full'] as const).flatMap((durability) => [
    {
      name: `SQLite, ${durability}`,
      open: () => openSqliteLog(join(folder, durability), { durability }),
    },
    {
      name: `PostgreSQL, ${durability}`,
      open: () => openPostgresLog(server.url, { durability, schema: durability }),
    },
  ]),
]
try {
  for (const { name, open } of logs) {
    const log = await open()
    figures.push(...(await measureSessions(name, log, catalog)))
    if (name !== 'memory') figures.push(...(await measureReopened(name, log)))
    figures.push(...(await measureWaiters(name, log)))
    await log.close?.()
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}

const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() },
  figures,
}
writeFileSync(
  new URL('results/sessions.json', import.meta.url),
  `${JSON.stringify(run, null, 2)}\n`,
)
for (const { log, what, value, unit } of figures) {
  console.log(
    `${log.padEnd(18)} ${what.padEnd(52)} ${value.toLocaleString('en').padStart(10)} ${unit}`,
  )
}
