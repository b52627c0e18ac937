import type { Command, Order } from '../model/command.ts'
import type { WorkspaceEvent } from '../model/event.ts'
import type { DroppedIntent } from '../model/intent-command.ts'
import type { WorkspaceState } from '../model/state.ts'
import { takeUp } from '../evolve/take-up.ts'
import { accepted, type Decision } from './decision.ts'
import { intentsGivenUp } from './intents-given-up.ts'

type CallEnd = Extract<Command, { type: 'call.end' }>

/**
 * Note how a call ended, once for every run of bad results that its extraction drifted, and each intent
 * that the session does not take.
 */
export function decideCallEnd(state: WorkspaceState, order: Order, command: CallEnd): Decision {
  const { type: _, extracted, dropped = [], ...end } = command
  const ended: WorkspaceEvent = {
    type: 'call.ended',
    ...end,
    ...(end.intents.length > 0 && { intentsWait: true as const }),
    ...(extracted && { extraction: extracted.result }),
    ...(extracted && extracted.entities.length > 0 && { entities: extracted.entities }),
  }
  const drifts = extracted !== undefined && driftsNow(state, end, extracted)
  return accepted(
    order,
    ...intentsGivenUp(state, end.intents.length),
    ended,
    ...(drifts ? [drifted(end, extracted)] : []),
    ...dropped.map((one) => intentDropped(end.tool, one)),
  )
}

function intentDropped(subject: string, { code, message, hint }: DroppedIntent): WorkspaceEvent {
  return { type: 'warning.given', code, subject, message, hint }
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
