import type { RequestToCheck } from '../check-request.ts'
import type { Wire } from '../wire.ts'

/** A rule that the types of an SDK cannot say. */
export interface RequestRule {
  readonly name: string
  readonly wires: readonly Wire[]
  /** The declaration, the public page or the provider's own error that has the rule. */
  readonly source: string
  /** Returns one sentence for each fault. */
  readonly faults: (request: RequestToCheck) => readonly string[]
}
