import { findableTools } from './findable-tools.ts'
import type { FoundToolState } from '../model/discovery-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/** A found tool whose call loads the skill it comes with. */
export interface LoadingCall {
  readonly skill: string
  readonly found: FoundToolState
}

/**
 * The skill that a call would load: its tool was found, the skill is not active, the agent may load
 * it, and the session lets calls do so. Null for every other call.
 */
export function skillLoadedByCall(
  state: WorkspaceState,
  surroundings: Surroundings,
  address: string,
): LoadingCall | null {
  if (state.found.length === 0) return null
  const [it] = findableTools(state, surroundings, [address])
  if (it?.callable !== 'on-call') return null
  const { name, owner, hash } = it.found
  const found = state.found.find(
    (one) => one.name === name && one.owner === owner && one.hash === hash,
  )
  return found === undefined ? null : { skill: owner, found }
}
