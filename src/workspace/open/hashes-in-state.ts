import type { WorkspaceState } from '../../engine/model/state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { hashesIn } from '../../kernel/hashes-in.ts'

/**
 * The hashes a state names that may be of definitions; many are of something else. Those of what the
 * model was sent as text are left out, since there are many of them and none is a definition.
 */
export function hashesInState(state: WorkspaceState): ReadonlySet<ContentHash> {
  return hashesIn({ ...state, sections: [], rulesSent: [] })
}
