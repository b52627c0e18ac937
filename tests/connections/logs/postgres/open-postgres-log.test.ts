import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import {
  openPostgresLog,
  type PostgresLog,
} from '../../../../src/connections/logs/postgres/open-postgres-log.ts'
import { eventLogContract } from '../../../../src/entries/testing.ts'

const opened: PostgresLog[] = []
let server: PostgresServer
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(async () => {
  for (const log of opened) await log.close()
  await server.stop()
})

eventLogContract({ describe, expect, test }, 'A PostgreSQL log', {
  sessions: 'many',
  follows: true,
  create: async () => {
    schemas += 1
    const schema = `loadout ${schemas}`
    const open = async () => {
      const log = await openPostgresLog(server.url, { schema })
      opened.push(log)
      return log
    }
    return { log: await open(), again: open }
  },
})
