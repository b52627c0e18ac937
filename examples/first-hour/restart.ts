import { VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { catalog } from './shop.ts'

const log = await openSqliteLog('shop.sqlite')
const workspace = await VirtualWorkspace.open({ catalog, log, session: 'ada' })

const { status } = workspace.explainSkill('purchasing')
const questions = workspace.state.confirmations
console.log(`purchasing is ${status}, open questions: ${questions.length}`)

if (status === 'inactive') await workspace.activateSkill('purchasing', { by: 'user' })
for (const { id } of questions) await workspace.approve(id, { by: 'user' })

const desk = { item: 'desk', count: 1 }
const answer = await workspace.callTool('order_stock', desk, { caller: 'model', call: 'call-1' })
console.log(answer.ok ? answer.data : answer.error.type)
if (answer.ok) await workspace.setToolEnabled('order_stock', false, { by: 'user' })

process.kill(process.pid, 'SIGKILL') // as hard as a crash: nothing is closed
