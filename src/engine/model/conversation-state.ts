import type { ContentHash } from '../../kernel/content-hash.ts'

/**
 * One message of a request's conversation: its key, its tokens, and the instructions of skills that can be withdrawn from it.
 * Equal messages have equal keys.
 */
export type SentMessage = readonly [key: string, tokens: number, loads?: readonly LoadedText[]]

/** The instructions of a skill in the result of a call. */
export interface LoadedText {
  readonly call: string
  readonly skill: string
  /** Tokens that its withdrawal frees; 0 for a result that refers to tools, which stays. */
  readonly tokens: number
}

/** A result that requests no longer have: a sentence is in its place. */
export interface WithdrawnResult {
  /** The key of the host's message that it is in. */
  readonly message: string
  readonly call: string
}

/** A place in the host's history: after the `nth` (from 0) of its messages with this key. */
export interface MessagePlace {
  readonly key: string
  readonly nth: number
}

/** One part of the workspace's text in the conversation, in the version that was sent. */
export interface SentPart {
  readonly id: string
  readonly title: string
  readonly hash: ContentHash
  /** Absent for the parts of a summary, and in earlier logs. */
  readonly tokens?: number
}

/** One definition that a message adds to the tools. */
export interface AddedTool {
  readonly name: string
  readonly hash: ContentHash
  /** The conversation had this very definition before, and a name is enough. */
  readonly known?: true
}

/**
 * A message that the workspace puts into the conversation. A host keeps only its own messages, so later
 * requests put it into the same place again.
 */
export type WorkspaceMessage =
  | {
      readonly kind: 'text'
      /** Null for the start of the conversation. */
      readonly after: MessagePlace | null
      readonly key: string
      /**
       * The hash under which its text is stored, with variables as names instead of values: they may be
       * secret. Absent for a text that cannot be stored so; only its process can send it again.
       */
      readonly text?: ContentHash
      readonly parts: readonly SentPart[]
      /** Ids of parts that no longer apply. */
      readonly gone: readonly string[]
    }
  | {
      readonly kind: 'tools'
      readonly after: MessagePlace | null
      readonly added: readonly AddedTool[]
      readonly removed: readonly string[]
    }
  /** The host summarised the history: the summary has these parts. */
  | { readonly kind: 'summary'; readonly parts: readonly SentPart[] }

/** The conversation of one request, as a difference from that of the request before. */
export interface ConversationChange {
  /** The number of messages with which both begin. */
  readonly kept: number
  /** The messages after those. */
  readonly sent: readonly SentMessage[]
  /** Indexes of earlier messages of the workspace that have no place any more. Absent when none. */
  readonly lost?: readonly number[]
  /** New messages of the workspace. Absent when none. */
  readonly added?: readonly WorkspaceMessage[]
  /** All results that are withdrawn. Absent when they are those of the request before. */
  readonly withdrawn?: readonly WithdrawnResult[]
  /** Tokens of the texts that this request withdrew. Absent when none. */
  readonly freed?: number
  /** The key of the host's complete history. Absent in earlier logs. */
  readonly history?: string
}

/** The conversation of the last request. */
export interface ConversationState {
  /** Null when the host did not show its history. */
  readonly sent: readonly SentMessage[] | null
  /** The messages of the workspace, in the order they were first sent. */
  readonly ours: readonly WorkspaceMessage[]
  /** The key of the host's history in it; null when it is not known. */
  readonly history: string | null
  /** The results that are withdrawn. Absent when none. */
  readonly withdrawn?: readonly WithdrawnResult[]
}

export const EMPTY_CONVERSATION: ConversationState = { sent: null, ours: [], history: null }
