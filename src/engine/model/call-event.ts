import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { Intent } from '../../tools/intents/intent.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'
import type { BackgroundResult } from './background-event.ts'
import type { ApprovalScope } from './consent-state.ts'
import type { CallTokens } from './call-tokens.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { ToolSource } from './tool-source.ts'

/** A call, from what let it begin to what became of it. */
export type CallEvent =
  | {
      readonly type: 'call.started'
      readonly call: string
      readonly tool: string
      readonly source: ToolSource
      readonly owner: string
      readonly hash: ContentHash
      /** Digest of the validated arguments; the arguments stay with the caller. */
      readonly digest: ContentHash
      readonly category: ToolCategory
      readonly caller: Caller
      /** The call whose handler made this one. */
      readonly within?: string
      /** The confirmation this call uses up. */
      readonly confirmation: string | null
      /** The remembered approval it runs by, when it needed one. */
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** How long it may run, in milliseconds. */
      readonly limitMs?: number
      /** What it should stay under, in milliseconds: reported, not enforced. Absent without a target. */
      readonly targetMs?: number
    }
  | {
      readonly type: 'call.ended'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      /** Absent where nobody counts. */
      readonly tokens?: CallTokens
      /** They wait to be applied. Absent in logs from before there was an orchestrator. */
      readonly intentsWait?: true
      /** How often its handler ran, when that was more than once. */
      readonly attempts?: number
      /** What it came to; kept for calls in the background only. */
      readonly result?: BackgroundResult
      /** What the result was about, for working memory: at most five. Absent means none. */
      readonly entities?: readonly MemoryEntity[]
      /** What became of the extraction; absent for a failure, and a tool that extracts nothing. */
      readonly extraction?: ExtractionResult
    }
