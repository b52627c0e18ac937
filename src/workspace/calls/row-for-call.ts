import type { Cause } from '../../engine/model/cause.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import type { Outcome } from '../commands/outcome.ts'
import { runningHookOf } from '../commands/carry-out-plan.ts'
import { isAskedAbout } from '../commands/loading-question.ts'

/**
 * Activates the skill that a call of a found tool needs, with the usual command: hooks, conflicts and
 * permissions apply. Null when the call needs no skill, or the skill was activated.
 *
 * Another process may have found an unregistered tool, or activated its skill: the log is read before the
 * call is judged.
 *
 * The code of a refusal is the status of the tool, as for every refused call. Its message says why the
 * skill was not activated.
 */
export async function activateForCall(
  address: string,
  cause: Cause,
  parts: CallPipelineParts,
): Promise<Extract<Outcome, { ok: false }> | null> {
  const { store, context, dispatcher } = parts
  if (runningHookOf(dispatcher)) return null
  const loadedByCall = () => skillLoadedByCall(store.getState().state, context, address)
  let loading = loadedByCall()
  if (loading === null && isUnregistered(store.getState().state, context, address)) {
    await dispatcher.catchUp()
    loading = loadedByCall()
  }
  // Only a call of `loadSkill` can ask.
  if (loading === null || (await isAskedAbout(loading.skill, parts))) return null
  const { skill } = loading
  const command = { type: 'skill.activate' as const, skill, unlessActive: true }
  const outcome = await dispatcher.dispatch(command, cause, { drain: true })
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

function isUnregistered(state: WorkspaceState, context: EngineContext, address: string): boolean {
  return assess(state, context, address).kind === 'unregistered'
}

/**
 * Finds the row of the called tool, after the hook of its skill has run in this process; null for an
 * unregistered tool. When the hook of a skill fails, another owner of the same name is tried next.
 *
 * A call made by a hook does not wait for hooks: it is refused anyway, and could wait for itself. Rejects
 * when the log could not take the outcome of a hook.
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

function rowAt(address: string, { store, context }: CallPipelineParts): ToolRow | null {
  const assessment = assess(store.getState().state, context, address)
  return assessment.kind === 'registered' ? assessment.row : null
}
