import { createInterface } from 'node:readline'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { aMember, type FamilyChange } from './a-family.ts'

// Run as a process of its own: makes the change of each line that it reads, on the file that is its first argument,
// and prints the last entries of the root and the parent then.
await using log = await openSqliteLog(process.argv[2] ?? '', { durability: 'os' })
const members = { root: await aMember(log, 'root'), parent: await aMember(log, 'parent') }
for await (const line of createInterface({ input: process.stdin })) {
  const change = JSON.parse(line) as FamilyChange
  const member = members[change.session]
  const changed =
    'mode' in change ? await member.setMode(change.mode) : await member.setPermissions(change.rules)
  changed.orThrow()
  const [root, parent] = [members.root.state.seq, members.parent.state.seq]
  process.stdout.write(`${JSON.stringify({ root, parent })}\n`)
}
await members.parent.close()
await members.root.close()
