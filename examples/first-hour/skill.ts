import { VirtualWorkspace, type Tool } from 'loadout'
import { catalog } from './shop.ts'

const workspace = await VirtualWorkspace.open({ catalog })
const names = (tools: readonly Tool[]) => tools.map(({ name }) => name).join(', ')

const before = await workspace.beginStep()
console.log(`before: ${names(before.tools)}`)

await workspace.activateSkill('purchasing')
const during = await workspace.beginStep()
console.log(`during: ${names(during.tools)}`)
for (const { text } of during.conversation) console.log(`\n${text.trim()}`)

await workspace.deactivateSkill('purchasing')
const after = await workspace.beginStep()
console.log(`\nafter: ${names(after.tools)}`)

const { status, because, fix } = workspace.explain('order_stock')
console.log({ status, because, fix })

await workspace.close()
