import type { Command, Order } from '../command.ts'
import type { WorkspaceEvent } from '../event.ts'
import type { WorkspaceState } from '../state.ts'
import { takeUp } from '../take-up.ts'
import { accepted, type Decision } from './decision.ts'

type CallEnd = Extract<Command, { type: 'call.end' }>

/** Note how a call ended, and once for every run of bad results that its extraction drifted. */
export function decideCallEnd(state: WorkspaceState, order: Order, command: CallEnd): Decision {
  const { type: _, extracted, ...end } = command
  const ended: WorkspaceEvent = {
    type: 'call.ended',
    ...end,
    ...(extracted && { extraction: extracted.result }),
    ...(extracted && extracted.entities.length > 0 && { entities: extracted.entities }),
  }
  return extracted !== undefined && driftsNow(state, end, extracted)
    ? accepted(order, ended, drifted(end, extracted))
    : accepted(order, ended)
}

type Extracted = NonNullable<CallEnd['extracted']>

function driftsNow(
  { extractions, seq }: WorkspaceState,
  { tool }: Pick<CallEnd, 'tool'>,
  { result, entities }: Extracted,
): boolean {
  const known = extractions.find((one) => one.tool === tool)
  const { drifting } = takeUp(known, { tool, last: result, found: entities.length, seq })
  return drifting && !known?.drifting
}

function drifted(
  { tool, call }: Pick<CallEnd, 'tool' | 'call'>,
  { result, message = '' }: Extracted,
): WorkspaceEvent {
  const what = result === 'nothing-extracted' ? result : 'unlike-schema'
  return { type: 'extraction.drifted', tool, call, what, message }
}
