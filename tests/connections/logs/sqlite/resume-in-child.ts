import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { anOffice } from './an-office.ts'

// Run as a process of its own: continues the session in the file that is its first argument,
// and prints the state it found and what a call answers.
await using log = await openSqliteLog(process.argv[2] ?? '')
const workspace = await anOffice(log)
const { state } = workspace
await workspace.beginTurn()
const answer = await workspace.callTool('look_up', { word: 'owl' })
process.stdout.write(JSON.stringify({ state, answer }))
await workspace.close()
