import { parseArgs } from 'node:util'
import { openJsonlLog } from '../../../../src/connections/logs/jsonl/open-jsonl-log.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { someEntries } from '../../../workspace/log/some-entries.ts'

// Run as a process of its own: appends entries one by one, and prints the number of each once it was
// acknowledged, or the error that ended it.
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    count: { type: 'string', default: '1' },
    characters: { type: 'string', default: '0' },
  },
})
const log = openJsonlLog(values.file, { durability: 'os' })
const note = values.name + 'x'.repeat(Number(values.characters))
try {
  let version = (await log.read('s1')).length
  for (let done = 0; done < Number(values.count); done += 1) {
    await log.append('s1', version, someEntries(version, version + 1, note))
    process.stdout.write(`${version}\n`)
    version += 1
  }
} catch (error) {
  if (!WorkspaceError.is(error)) throw error
  process.stdout.write(`${error.code} ${String(error.facts['reason'])}\n`)
}
