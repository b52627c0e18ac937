import type { JsonSchema } from '../../kernel/json.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { fitItems } from './fit-items.ts'
import type { Callable, FoundItem } from './found-item.ts'
import { pageInstruction, type PageMeans } from './page-instruction.ts'

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
  readonly callable: Callable
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

/** What a search came to, before it is made to fit. */
export interface SearchFindings {
  /** Best first. */
  readonly items: readonly FoundItem[]
  readonly rules: string
  readonly confidence: number
  readonly degraded?: string
  readonly means: PageMeans
}

/** A page, and what of the findings is on it: the rest is as if it had not been found. */
export interface FittedPage {
  readonly page: SearchPage
  readonly shown: readonly FoundItem[]
}

/**
 * Put findings on a page of at most `budget` tokens, rules apart, as the JSON that is sent.
 *
 * Where they do not fit, the last of them lose text first: descriptions end at a sentence, types
 * go from signatures, and `shortened` names each that lost something. Where there is room, the
 * first get their full description, then their full schema. What does not fit by its bare name
 * is left out, and the instruction says how many those are.
 */
export function searchPage(
  { items, rules, confidence, degraded, means }: SearchFindings,
  budget: number,
  counter: TokenCounter,
): FittedPage {
  const pageOf = (fitted: ReturnType<typeof fitItems>): SearchPage => {
    const tools = fitted.flatMap(({ entry }) => ('signature' in entry ? [entry] : []))
    const skills = fitted.flatMap(({ entry }) => ('signature' in entry ? [] : [entry]))
    const cut = fitted.filter(({ isCut }) => isCut).map(({ item }) => item.name)
    const shortened = cut.length > 1 && cut.length === fitted.length ? ['*'] : cut
    const left = items.length - fitted.length
    return {
      tools,
      skills,
      rules,
      instruction: pageInstruction({ tools, skills, shortened, left }, means),
      confidence: Math.round(confidence * 100) / 100,
      shortened,
      ...(degraded !== undefined && { degraded }),
    }
  }
  // Items are counted one by one; the count of the whole decides, so what was off is taken away.
  let room = budget
  for (;;) {
    const frame = pageTokens(pageOf([]), counter)
    const fitted = fitItems(items, room - frame, counter)
    const page = pageOf(fitted)
    const over = pageTokens(page, counter) - budget
    if (over <= 0 || fitted.length === 0) return { page, shown: fitted.map(({ item }) => item) }
    room -= over
  }
}

/** Tokens of a page as a model reads it, its rules apart. */
export function pageTokens(page: SearchPage, counter: TokenCounter): number {
  return counter.count(JSON.stringify({ ...page, rules: '' }))
}
