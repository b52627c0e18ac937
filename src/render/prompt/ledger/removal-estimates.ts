import { removalPriceOf } from '../../../engine/standing/removal-price-of.ts'
import type { RemovalPrice } from '../../../engine/model/removal-price.ts'
import type { WorkspaceState } from '../../../engine/model/state.ts'
import type { Surroundings } from '../../../engine/model/surroundings.ts'
import type { PromptLedger } from './prompt-ledger.ts'

/** What putting one active skill away would free and lose. */
export interface RemovalEstimate extends RemovalPrice {
  readonly skill: string
  /** Its text in the prompt: the conversation keeps that until the history is compacted. */
  readonly text: number
}

/** Every active skill, in the order they came, as if it alone were put away now. */
export function removalEstimates(
  state: WorkspaceState,
  surroundings: Surroundings,
  { skills }: Pick<PromptLedger, 'skills'>,
): readonly RemovalEstimate[] {
  const texts = new Map(skills.map(({ skill, tokens }) => [skill, tokens]))
  return state.open.flatMap((open) => {
    if (open.source !== 'skill') return []
    const price = removalPriceOf(open, state, surroundings) ?? { tokensFreed: 0, prefixLost: 0 }
    return { skill: open.owner, text: texts.get(open.owner) ?? 0, ...price }
  })
}
