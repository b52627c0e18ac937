import { createCatalog, VirtualWorkspace } from 'loadout'
import { countStock } from './count-stock.ts'

const catalog = await createCatalog({ tools: [countStock] }) // once per process
const workspace = await VirtualWorkspace.open({ catalog }) // once per conversation

console.log(await workspace.callTool('count_stock', { item: 'lamp' }))

const wrong = await workspace.callTool('count_stock', { item: 7 })
if (!wrong.ok) console.log(wrong.error.type, wrong.error.message)

await workspace.close()
