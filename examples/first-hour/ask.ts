import { VirtualWorkspace } from 'loadout'
import { catalog } from './shop.ts'

const workspace = await VirtualWorkspace.open({ catalog })
await workspace.activateSkill('purchasing')

/** Order two, and give back the id of the question, if one is asked. */
async function order(item: string): Promise<string> {
  const answer = await workspace.callTool('order_stock', { item, count: 2 }, { caller: 'model' })
  console.log(item, answer.ok ? 'was ordered' : answer.error.type)
  return answer.ok ? '' : String(answer.error.details.confirmation)
}

const first = await order('lamp')
await workspace.approve(first, { by: 'user' })
await order('lamp')

const second = await order('lamp')
await workspace.approve(second, { by: 'user', remember: 'session' })
await order('lamp')
await order('chair')

await workspace.close()
