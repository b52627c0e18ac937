import { assess } from '../standing/assess.ts'
import type { Command, Order } from '../model/command.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { toolUnknown } from './refusals.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

type Switch = Extract<Command, { type: 'tool.switch' }>

/**
 * Switch a tool off, or on again, whoever owns it now or later. An address stands for its name,
 * unless another owner's tool goes by that name.
 */
export function decideToolSwitch(
  state: WorkspaceState,
  order: Order,
  { tool: address, enabled }: Switch,
  around: Surroundings,
): Decision {
  const known = assess(state, around, address)
  const tool = known.kind === 'registered' ? known.row.claim.name : known.name
  const off = state.disabled.some((one) => one.tool === tool)
  if (known.kind === 'unknown' && !off) {
    return refused(order, address, toolUnknown(address, known.nearest))
  }
  if (known.kind === 'registered' && known.status === 'shadowed') {
    return refused(order, address, {
      code: 'shadowed',
      message: `"${address}" is shadowed, and "${tool}" is another owner's tool.`,
      hint: `Switches go by name: say "${tool}" to switch whoever has it.`,
      facts: { tool: address, name: tool },
    })
  }
  return off === !enabled
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'tool.switched', tool, enabled })
}
