import { textHash, type ContentHash } from '../../kernel/content-hash.ts'
import type { Placement, Stability } from '../../render/prompt/document/prompt-document.ts'
import type { PromptView } from '../../workspace/offer/prompt-view.ts'

/** What `prompt --json` prints. */
export interface PromptReport {
  readonly text: string
  readonly tokens: number
  readonly tokenizer: string
  /** Of the text. */
  readonly hash: ContentHash
  readonly sections: readonly {
    readonly id: string
    readonly title: string
    readonly owner: string
    readonly stability: Stability
    readonly placement: Placement
    readonly tokens: number
  }[]
}

/** The prompt, or one part of it, with its price. */
export function promptReport(view: PromptView, part?: Placement): PromptReport {
  const text = part === undefined ? view.text : view[part]
  const { ledger } = view
  const sections = ledger.sections
    .filter(({ placement }) => part === undefined || placement === part)
    .map(({ id, title, owner, stability, placement, tokens }) => ({
      id,
      title,
      owner,
      stability,
      placement,
      tokens,
    }))
  return {
    text,
    tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0),
    tokenizer: ledger.tokenizer,
    hash: textHash(text),
    sections,
  }
}
