import { createInterface } from 'node:readline'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'

// A process of its own, one of several: opens each file it reads the name of, appends to a session of its own,
// and prints `ok` or the error.
for await (const file of createInterface({ input: process.stdin })) {
  try {
    await using log = await openSqliteLog(file, { durability: 'os', lockWaitMs: 60_000 })
    const event = { type: 'turn.begun' as const, turn: 1 }
    await log.append(`${process.pid}`, 0, [{ seq: 0, at: 0, cause: { by: 'host' }, event }])
    process.stdout.write('ok\n')
  } catch (error) {
    process.stdout.write(`${String(error).replaceAll('\n', ' ')}\n`)
  }
}
