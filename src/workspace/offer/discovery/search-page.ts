import type { JsonSchema } from '../../../kernel/json.ts'
import type { Callable } from './found-item.ts'

/** One tool of a result page. */
export interface PageTool {
  /** What it is called by. */
  readonly name: string
  /** Its arguments on one line, `?` after the optional ones. */
  readonly signature: string
  readonly description?: string
  /** The full schema, where the page has room for it. */
  readonly inputSchema?: JsonSchema
  /** The skill that brings it; absent for others. */
  readonly skill?: string
  /** What it takes to call it; absent when it takes nothing. */
  readonly callable?: Exclude<Callable, 'now'>
}

/** One skill of a result page, for `loadSkill`. */
export interface PageSkill {
  readonly id: string
  readonly description?: string
  readonly loaded: boolean
}

/** What `tool_search` answers with. The keys are always the same, but for the optional ones. */
export interface SearchPage {
  /** Best first; empty when nothing fits. */
  readonly tools: readonly PageTool[]
  readonly skills: readonly PageSkill[]
  /** Markdown: how the tools are to be used; empty when the session was told before. */
  readonly rules: string
  readonly instruction: string
  /** From 0 to 1: how sure the search is of the best result. */
  readonly confidence: number
  /** Names whose description or signature was cut to fit the page; `*` alone where all were. */
  readonly shortened: readonly string[]
  /** Why the search was a lesser one than it should have been. */
  readonly degraded?: string
  /** Why searching on is no use now. */
  readonly stopped?: 'same-query' | 'empty-results' | 'flapping'
}
