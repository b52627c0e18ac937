import { parseArgs } from 'node:util'
import type { Entry } from '../../src/engine/model/workspace-event.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'
import { openSharedLog, type SharedLog } from './many-writers.ts'

// A process of its own, one of several: appends its entries one by one to one session, over conflicts, and
// prints the acknowledged number of each.
const { values } = parseArgs({
  options: {
    log: { type: 'string' },
    at: { type: 'string' },
    writer: { type: 'string' },
    count: { type: 'string' },
    for: { type: 'string' },
  },
})
const log = await openSharedLog(values.log as SharedLog, values.at ?? '')
let version = 0
// At least one append, however little time there is.
const goesOn = (done: number) => done === 0 || performance.now() < Number(values.for)
for (let index = 0; index < Number(values.count) && goesOn(index);) {
  try {
    await log.append('s1', version, [sharedEntry(version, index)])
    process.stdout.write(`${version}\n`)
    version += 1
    index += 1
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_CONFLICT') throw error
    version = Number(error.facts['found'])
  }
}
await log.close()

function sharedEntry(seq: number, index: number): Entry {
  return {
    seq,
    at: Date.now(),
    cause: { by: 'host' },
    event: { type: 'component.updated', component: values.writer ?? '', state: index },
  }
}
