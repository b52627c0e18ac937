import { assess } from './assess.ts'
import type { Command, Order } from './command.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { toolUnknown } from './refusals.ts'
import type { WorkspaceState } from './state.ts'
import type { Surroundings } from './surroundings.ts'

type Switch = Extract<Command, { type: 'tool.switch' }>

/** Switch a tool off, or on again, whoever owns it now or later. */
export function decideToolSwitch(
  state: WorkspaceState,
  order: Order,
  { tool, enabled }: Switch,
  around: Surroundings,
): Decision {
  const off = state.disabled.some((one) => one.tool === tool)
  const known = assess(state, around, tool)
  if (known.kind === 'unknown' && !off) {
    return refused(order, tool, toolUnknown(tool, known.nearest))
  }
  return off === !enabled
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'tool.switched', tool, enabled })
}
