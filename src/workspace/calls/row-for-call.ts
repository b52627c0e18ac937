import { assess } from '../../engine/standing/assess.ts'
import type { ToolRow } from '../../engine/standing/tool-row.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import { runningHookOf } from '../commands/hook-scope.ts'

/**
 * The row of the tool a call is of, once the skill it comes from is whole in this process; null for a
 * tool that nobody registers. A skill whose hook fails may share the tool with another owner, who is
 * asked next.
 *
 * A call made by a hook waits for none: it is refused anyway, and the hook may be the one that is
 * waited for. Rejects when the log could not take what a hook came to.
 */
export async function rowForCall(
  address: string,
  running: CallInFlight,
  parts: CallPipelineParts,
): Promise<ToolRow | null> {
  const { resumed, dispatcher } = parts
  const row = rowAt(address, parts)
  const skill = row?.owner.source === 'skill' ? row.owner : null
  running.belongsTo(skill?.owner ?? null)
  if (skill === null || row?.status !== 'available' || runningHookOf(dispatcher)) return row
  const { owner, since } = skill
  const command = { type: 'skill.resume' as const, skill: owner, since }
  await resumed.ensure(skill, () => dispatcher.dispatch(command, { by: 'resume' }))
  const after = rowAt(address, parts)
  return after?.owner.since === since ? after : rowForCall(address, running, parts)
}

function rowAt(address: string, { store, surroundings }: CallPipelineParts): ToolRow | null {
  const standing = assess(store.getState().state, surroundings, address)
  return standing.kind === 'registered' ? standing.row : null
}
