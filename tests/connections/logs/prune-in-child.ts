import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type DiskLogKind, openDiskLog } from './open-disk-log.ts'

// A process of its own: prunes everything from before a time, and is gone as soon as it has made so many writes.
const [kind = '', place = '', changedBefore = '', writes = ''] = process.argv.slice(2)

let left = Number(writes)

function written(): void {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const log = await openDiskLog(kind as DiskLogKind, place)

const { rm } = fs

fs.rm = async (...given) => {
  await rm(...given)
  written()
}

syncBuiltinESMExports()

const { exec } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function execute(sql) {
  exec.call(this, sql)
  if (sql === 'COMMIT') written()
}

const { query } = pg.Client.prototype

pg.Client.prototype.query = async function send(this: pg.Client, ...given: never[]) {
  const result: unknown = await Reflect.apply(query, this, given)
  written()
  return result
} as never

await log.prune({ changedBefore: Number(changedBefore) })

await log.close()
