import { openPostgresLog } from '../../../../src/connections/logs/postgres/open-postgres-log.ts'
import { anOffice } from '../sqlite/an-office.ts'

// Run as a process of its own: continues the session in the database whose address is its first
// argument, and prints the final state.
await using log = await openPostgresLog(process.argv[2] ?? '')
const workspace = await anOffice(log)
await workspace.activateSkill('research')
await workspace.beginTurn()
await workspace.callTool('look_up', { word: 'owl' })
process.stdout.write(JSON.stringify(workspace.state))
await workspace.close()
