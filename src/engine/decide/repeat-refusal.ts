import { isSameCall } from '../model/call-event.ts'
import type { CommandOf, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

type CallStart = CommandOf<'call.start'>

/**
 * The refusal of a call that repeats: the model makes it again and again with the same arguments, or calls a tool whose last
 * calls all found nothing, in this turn, while nothing changes. A session without turns has no limit, and neither have
 * tools for polling.
 */
export function repeatRefusal(
  state: WorkspaceState,
  row: ToolRow,
  digest: ContentHash,
  { caller }: CallStart,
  { calls }: Pick<EngineContext, 'calls'>,
): Refusal | null {
  if (caller !== 'model' || state.turn === 0 || row.tool?.polling === true) return null
  const { mostSame = Infinity, mostEmpty = Infinity } = calls ?? {}
  return sameRefusal(state, row, digest, mostSame) ?? emptyRefusal(state, row, mostEmpty)
}

function sameRefusal(
  { sameCalls }: WorkspaceState,
  { claim: { name, hash }, owner: { owner } }: ToolRow,
  digest: ContentHash,
  limit: number,
): Refusal | null {
  const times = sameCalls.find((one) => isSameCall(one, { hash, owner, digest }))?.times ?? 0
  if (times < limit) return null
  return {
    code: 'call-repeated',
    message: `"${name}" was called with these arguments ${times} times in this turn, and nothing has changed since.`,
    hint: 'Use the results of those calls, call it with other arguments, or answer without it.',
    facts: { tool: name, times, limit },
  }
}

function emptyRefusal(
  { emptyCalls }: WorkspaceState,
  { claim: { name }, owner: { owner } }: ToolRow,
  limit: number,
): Refusal | null {
  const { times = 0 } = emptyCalls.find((one) => one.tool === name && one.owner === owner) ?? {}
  if (times < limit) return null
  return {
    code: 'results-empty',
    message: `The last ${times} calls of "${name}" in this turn found nothing.`,
    hint: 'Look in another place with another tool, or answer that nothing was found.',
    facts: { tool: name, times, limit },
  }
}
