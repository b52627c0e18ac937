import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ToolSource } from './tool-source.ts'

/** A question to a person, whether one call may run, and what was answered. */
export type ConfirmationEvent =
  | {
      readonly type: 'confirmation.asked'
      readonly id: string
      readonly tool: string
      /** Whose tool it is. Absent in logs from before that was noted. */
      readonly source?: ToolSource
      readonly owner?: string
      readonly hash: ContentHash
      readonly digest: ContentHash
      readonly principal: string | null
      /** Wall clock, milliseconds since 1970. */
      readonly expiresAt: number
    }
  | { readonly type: 'confirmation.approved'; readonly id: string }
  | { readonly type: 'confirmation.denied'; readonly id: string }
  | { readonly type: 'confirmation.expired'; readonly id: string }
