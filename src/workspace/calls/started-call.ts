import type { Cause } from '../../engine/model/cause.ts'
import type { OpenSource } from '../../engine/model/source-state.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { CallRequest } from './call-request.ts'

/** A call whose start the log has. */
export interface StartedCall {
  readonly request: CallRequest
  readonly tool: Tool
  /** Whose tool it is. */
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  /** The arguments as they were given. */
  readonly given: unknown
  /** As the tool's schema parsed them. */
  readonly input: unknown
  readonly cause: Cause
  /** Its id, after those of the calls it is within. */
  readonly chain: readonly string[]
  /** Why it may end from outside. */
  readonly signal: AbortSignal
  readonly inBackground: boolean
  /** For all attempts together, in milliseconds. */
  readonly limitMs: number
}

/** The id of a call that is started. */
export function idOf({ chain }: Pick<StartedCall, 'chain'>): string {
  return chain.at(-1) ?? ''
}
