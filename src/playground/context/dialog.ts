import type { ToolDifference } from '../../engine/standing/tool-difference.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { DocumentDiff } from '../../render/prompt/diff-documents.ts'

/** What stands over the panes and takes the keys. */
export type Dialog =
  | { readonly kind: 'help'; readonly scroll: number }
  /** Every action, filtered by what is typed. */
  | { readonly kind: 'palette'; readonly text: string; readonly selected: number }
  /** Asked before leaving while something is pending. */
  | { readonly kind: 'quit'; readonly why: string }
  /** Everything about one row: a skill, a tool, an entry. */
  | {
      readonly kind: 'details'
      readonly title: string
      readonly lines: readonly string[]
      readonly scroll: number
    }
  /** How two moments differ. */
  | {
      readonly kind: 'difference'
      readonly title: string
      readonly tools: ToolDifference
      readonly document: DocumentDiff
      readonly scroll: number
    }
  /** Arguments for a tool, its schema beside them. */
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly text: string
      readonly cursor: number
      readonly problem: string
      /** First line shown of what is known about the arguments; 0 when absent. */
      readonly scroll?: number
    }
  /** A tool asks before it runs. */
  | {
      readonly kind: 'confirm'
      readonly tool: string
      readonly confirmation: string
      readonly input: unknown
      /** First line shown; 0 when absent. */
      readonly scroll?: number
    }
  | {
      readonly kind: 'answer'
      readonly tool: string
      readonly response: ToolResponse
      readonly scroll: number
    }
  /** How long an activation shall last. */
  | { readonly kind: 'lifetime'; readonly skill: string; readonly text: string }

/** The dialog of one kind, with what it holds. */
export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, { readonly kind: Kind }>
