import type { Command, Order } from '../model/command.ts'
import type { Draft } from '../model/event.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { decideCallStart } from './decide-call-start.ts'
import { refused, type Decision, type Refusal } from './decision.ts'

type Start = Extract<Command, { type: 'call.start' }>

/**
 * A call by a tool's handler passes the same gate as anyone's, unless it is within too many others
 * or comes after its time. One that is to go on in the background says so in the same append.
 */
export function decideCall(
  state: WorkspaceState,
  order: Order,
  command: Start,
  around: Surroundings,
): Decision {
  const { within, background } = command
  const against = within === undefined ? null : refusalWithin(command.tool, within)
  if (against !== null) return refused(order, command.tool, against)
  const decision = decideCallStart(state, order, command, around)
  if (decision.kind !== 'accepted') return decision
  return {
    ...decision,
    drafts: decision.drafts.flatMap((draft): readonly Draft[] => {
      const { cause, event } = draft
      if (event.type !== 'call.started') return [draft]
      const { call, tool, caller } = event
      const started = { cause, event: { ...event, ...(within && { within: within.call }) } }
      return background === true
        ? [started, { cause, event: { type: 'call.detached', call, tool, caller } }]
        : [started]
    }),
  }
}

function refusalWithin(tool: string, within: NonNullable<Start['within']>): Refusal | null {
  const { call, depth, mostDepth, isOver } = within
  if (isOver) {
    return {
      code: 'call-over',
      message: `"${tool}" was called by a handler whose own call (${call}) has its answer already.`,
      hint: 'Await calls of other tools before the handler returns, and heed context.signal.',
      facts: { tool, within: call },
    }
  }
  if (depth <= mostDepth) return null
  return {
    code: 'too-deep',
    message: `"${tool}" was called within ${depth} other calls, and ${mostDepth} is the most.`,
    hint: 'Look for tools that call each other in a circle, or raise limits.depth.',
    facts: { tool, depth, mostDepth, within: call },
  }
}
