import type { RequestSegment } from '../../../engine/model/step-cost.ts'

/**
 * A piece of a request that is the same as before or is not: a tool, the instructions, what is
 * added to the conversation.
 */
export interface RequestPart {
  /** What it is called: a tool's name, a section's id. */
  readonly id: string
  /** Parts are the same when their keys are. */
  readonly key: string
  readonly tokens: number
  /** Absent when only the key is still known, as of instructions that another process sent. */
  text?(): string
}

/**
 * A request as a cache compares it: canonical texts in place of a provider's own form of them.
 * Definitions that the provider defers are in none of the segments.
 */
export type RequestImage = Readonly<Record<RequestSegment, readonly RequestPart[]>>
