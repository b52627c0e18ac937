import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { counter } from './count-tokens.ts'

/** What pages of searches take in a request, in tokens. */
export interface PageTokens {
  /** All of them, rules included. */
  readonly page: number
  /** Of that, the rules: what a page's budget does not hold, and a session is told once. */
  readonly rules: number
}

/** The tokens of what searches answered with in the conversation of a request. */
export function searchPageTokens({ prompt }: LanguageModelV4CallOptions): PageTokens {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const pages = results.flatMap((part) => {
    if (part.type !== 'tool-result' || part.toolName !== 'tool_search') return []
    return 'value' in part.output ? [part.output.value] : [part.output]
  })
  const page = sum(pages.map((one) => tokensOf(one)))
  const bare = sum(pages.map((one) => tokensOf(Object.assign({}, one, { rules: '' }))))
  return { page, rules: page - bare }
}

function tokensOf(value: unknown): number {
  return counter.count(JSON.stringify(value))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
