import { assess } from '../../engine/standing/assess.ts'
import { rememberedApproval } from '../../engine/standing/remembered-approval.ts'
import { skillLoadedByCall } from '../../engine/standing/skill-loaded-by-call.ts'
import { permissionOf } from '../../engine/standing/permission-of.ts'
import { asksFirst } from '../../engine/standing/standing-of.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { checkInput } from './check-input.ts'
import { inputByPolicy } from './input-by-policy.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/**
 * Whether a call would be asked about, were it made now. Writes nothing, and answers false for one that
 * would be refused for another reason.
 */
export async function asksAbout(
  { store, surroundings, limits }: SessionParts,
  address: string,
  input: unknown,
): Promise<boolean> {
  const called = toolAt(address, store.getState().state, surroundings)
  if (called === null) return false
  const checked = await checkInput(called.tool, input, limits.timeoutMs)
  // What the rules are may have changed while the arguments were checked.
  const { state } = store.getState()
  const judged = inputByPolicy(checked, state.policy)
  if (!judged.ok) return false
  const { effect } = permissionOf(called, state, surroundings, judged.where ?? null)
  return asksFirst(effect, called.tool) && rememberedApproval(called, state) === undefined
}

/** The tool that a call would run: one that is available, or one whose call loads its skill. */
function toolAt(address: string, state: WorkspaceState, surroundings: Surroundings) {
  const standing = assess(state, surroundings, address)
  if (standing.kind === 'registered') {
    const { claim, owner, tool, status } = standing.row
    return tool === undefined || status !== 'available' ? null : { claim, owner, tool }
  }
  const loading = skillLoadedByCall(state, surroundings, address)
  if (loading === null) return null
  const { skill, found } = loading
  const brought = surroundings.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.hash === found.hash)?.tool
  if (tool === undefined) return null
  const claim = { name: found.name, definedAs: tool.name, hash: tool.hash }
  return { claim, owner: { source: 'skill' as const, owner: skill }, tool }
}
