import { assess } from '../../engine/standing/assess.ts'
import type { Cause } from '../../engine/model/cause.ts'
import { skillLoadedByCall } from '../../engine/standing/skill-loaded-by-call.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { dispatchDrained } from './dispatch-drained.ts'
import { runningHookOf } from '../commands/hook-scope.ts'
import type { Outcome } from '../commands/outcome.ts'

/**
 * Load the skill that a call of a found tool needs, by the same command as anyone's: hooks,
 * conflicts and permissions count. Null when the call needs none, or the skill came.
 *
 * A tool that nobody registers here may have been found, or its skill loaded, by another process: the
 * log is asked before the call is judged.
 *
 * A refusal has the status of the tool as its code, as every call that is refused, and tells why
 * the skill did not come.
 */
export async function loadForCall(
  address: string,
  cause: Cause,
  parts: CallPipelineParts,
): Promise<Extract<Outcome, { ok: false }> | null> {
  const { store, surroundings, dispatcher } = parts
  if (runningHookOf(dispatcher)) return null
  const loadedByCall = () => skillLoadedByCall(store.getState().state, surroundings, address)
  let loading = loadedByCall()
  if (loading === null && isUnregistered(store.getState().state, surroundings, address)) {
    await dispatcher.catchUp()
    loading = loadedByCall()
  }
  if (loading === null) return null
  const { skill } = loading
  const command = { type: 'skill.activate' as const, skill, unlessActive: true }
  const outcome = await dispatchDrained(command, cause, parts)
  if (outcome.ok) return null
  const { code, message, hint, facts } = outcome
  return {
    ...outcome,
    code: 'skill-inactive',
    message: `The tool "${address}" is not available (skill-inactive): its skill "${skill}" could not be loaded. ${message}`,
    hint,
    facts: { ...facts, tool: address, skill, activation: code },
  }
}

function isUnregistered(state: WorkspaceState, around: Surroundings, address: string): boolean {
  return assess(state, around, address).kind === 'unregistered'
}
