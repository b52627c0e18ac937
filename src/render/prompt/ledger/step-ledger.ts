import type { WorkspaceState } from '../../../engine/model/state.ts'
import type { StepCost } from '../../../engine/model/step-cost.ts'
import type { Surroundings } from '../../../engine/model/surroundings.ts'
import { toolTable } from '../../../engine/standing/tool-table.ts'
import type { ToolSource } from '../../../engine/model/tool-source.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { definitionTokens } from './token-prices.ts'

/** One definition that the last request carried. */
export interface SentToolPrice {
  readonly name: string
  /** Null when nobody registers it any more, and the strategy left it in the request. */
  readonly source: ToolSource | null
  readonly owner: string | null
  readonly tokens: number
  /** The provider keeps it out of the prompt. */
  readonly deferred: boolean
  readonly available: boolean
}

/** What the last step sent, and what it kept of the step before. */
export interface StepLedger {
  readonly step: number
  readonly cost: StepCost
  /** The part of the request before that begins this one, from 0 to 1; 1 for the first. */
  readonly share: number
  /** In the order they were sent. */
  readonly tools: readonly SentToolPrice[]
}

/** The last step priced tool by tool; null before the first, and where its log told no price. */
export function stepLedger(
  state: WorkspaceState,
  surroundings: Surroundings,
  counter: TokenCounter,
): StepLedger | null {
  const { step, cost, exposed } = state
  if (cost === null || exposed === null) return null
  const { byName } = toolTable(state, surroundings)
  const tools = exposed.map(({ name, hash, deferred }): SentToolPrice => {
    const definition = surroundings.tool(hash)
    const row = byName.get(name)
    return {
      name,
      source: row?.owner.source ?? null,
      owner: row?.owner.owner ?? null,
      tokens: definition === undefined ? 0 : definitionTokens(definition, counter, name),
      deferred: deferred === true,
      available: row?.status === 'available',
    }
  })
  const share = cost.previous === 0 ? 1 : cost.kept / cost.previous
  return { step, cost, share, tools }
}
