import type { Tool } from '../../tools/definition/tool.ts'
import { allowedListsFor } from './allowed-lists.ts'
import type { Claim } from '../model/source-event.ts'
import { judgePermission, type PermissionJudgement } from './judge-permission.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { WhereMatches } from './where-matches.ts'

/** A tool by who registers it; `ToolRow` is one. */
interface JudgedTool {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'trusted'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Tool | undefined
}

/**
 * What the policy of a state says of a tool, or of a call of it.
 *
 * @param where of a call, the rules whose `where` holds for its arguments; null for the tool itself,
 *   which no rule about arguments keeps from being shown
 */
export function permissionOf(
  { claim, owner, tool }: JudgedTool,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  { catalog }: Pick<Surroundings, 'catalog'>,
  where: WhereMatches | null,
): PermissionJudgement {
  return judgePermission(state.policy, {
    claim,
    source: owner,
    tool,
    isMeta: isMeta(owner),
    lists: allowedListsFor(owner, state, catalog),
    where,
  })
}
