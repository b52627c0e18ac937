import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { main } from '../../../src/workbench/cli/main.ts'

// A process of its own: runs `sessions prune`, and is gone as soon as it has made so many writes.
const [log = '', writes = ''] = process.argv.slice(2)

let left = Number(writes)

function written(): void {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const { rmSync } = fs

fs.rmSync = (...given) => {
  rmSync(...given)
  written()
}

syncBuiltinESMExports()

const { exec } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function execute(sql) {
  exec.call(this, sql)
  if (sql === 'COMMIT') written()
}

process.exitCode = await main(['sessions', 'prune', '--older-than', '1d', '--log', log])
