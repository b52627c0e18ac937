import { parseArgs } from 'node:util'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

// Run as a process of its own: appends entries one by one to one session, over conflicts, and
// prints the number of each once it was acknowledged, or the error that ended it.
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    count: { type: 'string', default: '1' },
    characters: { type: 'string', default: '0' },
    user: { type: 'string' },
  },
})
if (values.user !== undefined) process.setuid?.(Number(values.user))
const note = values.name + 'x'.repeat(Number(values.characters))
try {
  const log = await openSqliteLog(values.file, { durability: 'os', lockWaitMs: 30_000 })
  let version = (await log.read('s1')).length
  for (let done = 0; done < Number(values.count);) {
    try {
      await log.append('s1', version, someEntries(version, version + 1, note))
      process.stdout.write(`${version}\n`)
      version += 1
      done += 1
    } catch (error) {
      if (!WorkspaceError.is(error) || error.code !== 'LOG_CONFLICT') throw error
      version = Number(error.facts['found'])
    }
  }
} catch (error) {
  if (!WorkspaceError.is(error)) throw error
  process.stdout.write(`${error.code} ${String(error.facts['reason'])}\n`)
}
