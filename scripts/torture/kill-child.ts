import { parseArgs } from 'node:util'
import { type DiskLog, openTorturedLog, writtenEntry } from './open-tortured-log.ts'
import { textHash } from '../../src/kernel/content-hash.ts'

// A process of its own that is killed: appends to one session until then, one to three entries at a time with
// a definition, and prints the first and the last number of each acknowledged append.
const { values } = parseArgs({ options: { log: { type: 'string' }, file: { type: 'string' } } })

const log = await openTorturedLog(values.log as DiskLog, values.file ?? '')

let version = (await log.read('s1')).length

for (;;) {
  await log.definitions.put(textHash(`${version}`), { version })
  const size = 1 + (version % 3)
  const entries = Array.from({ length: size }, (_, index) => writtenEntry(version + index))
  await log.append('s1', version, entries)
  process.stdout.write(`${version} ${version + size - 1}\n`)
  version += size
}
