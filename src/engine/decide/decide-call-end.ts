import type { Command, Order } from '../command.ts'
import type { WorkspaceEvent } from '../event.ts'
import { missedAfter } from '../evolve-memory.ts'
import type { WorkspaceState } from '../state.ts'
import { accepted, type Decision } from './decision.ts'

type CallEnd = Extract<Command, { type: 'call.end' }>

/**
 * Results in a row without what the tool promises that make drift. One may be an odd answer; two
 * are a habit. A function that throws is wrong the first time.
 */
const DRIFT_AFTER = 2

/** Note how a call ended, and once for every run of bad results that its extraction drifted. */
export function decideCallEnd(
  state: WorkspaceState,
  order: Order,
  { type: _, extracted, ...end }: CallEnd,
): Decision {
  const ended: WorkspaceEvent = {
    type: 'call.ended',
    ...end,
    ...(extracted && { extraction: extracted.result }),
    ...(extracted && extracted.entities.length > 0 && { entities: extracted.entities }),
  }
  const drift = extracted === undefined ? null : driftOf(state, end, extracted)
  return drift === null ? accepted(order, ended) : accepted(order, ended, drift)
}

function driftOf(
  { extractions }: WorkspaceState,
  { tool, call }: Pick<CallEnd, 'tool' | 'call'>,
  { result, message = '' }: NonNullable<CallEnd['extracted']>,
): WorkspaceEvent | null {
  const before = extractions.find((one) => one.tool === tool)?.missed ?? 0
  switch (result) {
    case 'extracted':
    case 'empty':
      return null
    case 'threw':
      return before > 0 ? null : drifted('unlike-schema')
    case 'nothing-extracted':
    case 'unlike-schema':
      return missedAfter(result, before) === DRIFT_AFTER ? drifted(result) : null
  }
  function drifted(what: 'nothing-extracted' | 'unlike-schema'): WorkspaceEvent {
    return { type: 'extraction.drifted', tool, call, what, message }
  }
}
