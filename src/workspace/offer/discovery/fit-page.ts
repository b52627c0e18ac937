import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { fitItems } from './fit-items.ts'
import type { FoundItem } from './found-item.ts'
import { pageInstruction, type PageMeans } from './page-instruction.ts'
import type { SearchPage } from './search-page.ts'

/** What a search came to, before it is made to fit. */
export interface SearchFindings {
  /** Best first. */
  readonly items: readonly FoundItem[]
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
 * Put findings on a page of at most `budget` tokens, as the JSON that is sent. Rules are put in
 * later, and are not part of the budget.
 *
 * Where they do not fit, the last of them lose text first: descriptions end at a sentence, types
 * go from signatures, and `shortened` names each that lost something. Where there is room, the
 * first get their full description, then, when they are called by `call_tool`, their full schema:
 * other requests carry the schemas of found tools themselves. What does not fit by its bare name
 * is left out, and the instruction says how many those are.
 */
export function fitPage(
  { items, confidence, degraded, means }: SearchFindings,
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
      rules: '',
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
    const fitted = fitItems(items, room - frame, counter, means.callTool)
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
