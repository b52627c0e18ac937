import { createHash } from 'node:crypto'
import { replaySession } from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import { openSqliteLog } from 'loadout/sqlite'

/** Runs in a project that has the packed package: prints a digest of the state of every session of a log. */
const [place = ''] = process.argv.slice(2)

const log = place.startsWith('postgres:')
  ? await openPostgresLog(place, { readOnly: true })
  : await openSqliteLog(place, { readOnly: true })

for (const { session } of (await log.list()).toSorted((a, b) => (a.session < b.session ? -1 : 1))) {
  const replay = replaySession(await log.read(session))
  const state = JSON.stringify(sorted(replay.stateAt()))
  const digest = createHash('sha256').update(state).digest('hex').match(/.{16}/g)?.join(' ')
  console.log(`${session}: ${replay.entries.length} entries, state ${digest}`)
}

await log.close()

/** Sorts the keys of objects: their order is no part of a state. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([key, one]) => [key, sorted(one)]))
}
