import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ToolSource } from './tool-source.ts'

/** A question to a person about one very call: of this tool, with arguments of this digest. */
export interface PendingConfirmation {
  readonly id: string
  readonly tool: string
  /** Whose tool it is; absent when the log does not say. */
  readonly source?: ToolSource
  readonly owner?: string
  readonly hash: ContentHash
  readonly digest: ContentHash
  readonly principal: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** A denial holds for the same call until the next turn, or until it expires. */
  readonly consent: 'pending' | 'approved' | 'denied'
  /** The entry that asked, or that answered. */
  readonly seq: number
}

/** What people are asked, and what they answered of it that still counts. */
export interface ConfirmationState {
  readonly confirmations: readonly PendingConfirmation[]
}

export const EMPTY_CONFIRMATIONS: ConfirmationState = { confirmations: [] }
