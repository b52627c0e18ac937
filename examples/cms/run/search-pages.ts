import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { counter } from './count-tokens.ts'

/** The tokens of what searches answered with, rules and all, in the conversation of a request. */
export function searchPageTokens({ prompt }: LanguageModelV4CallOptions): number {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  return results.reduce((sum, part) => {
    if (part.type !== 'tool-result' || part.toolName !== 'tool_search') return sum
    const { output } = part
    return sum + counter.count(JSON.stringify('value' in output ? output.value : output))
  }, 0)
}
