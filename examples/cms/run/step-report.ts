import type { LanguageModelV4Content } from '@ai-sdk/provider'
import { predictChange, type ProviderFacts, type RequestPart } from 'loadout/adapter'
import type { Recorded } from './record-requests.ts'
import { requestImage } from './request-image.ts'
import { searchPageTokens } from './search-pages.ts'

/** One request to the model: what it carried, what of it the cache had, and what came of it. */
export interface StepReport {
  readonly tools: readonly string[]
  readonly tokens: {
    readonly definitions: number
    readonly instructions: number
    readonly conversation: number
    /** What of the conversation are answers of `tool_search`. */
    readonly page: number
    /** What of those answers are rules. */
    readonly rules: number
  }
  /** Tokens of the request before, and how many of them begin this one, in the provider's order. */
  readonly previous: number
  readonly kept: number
  /** Of the whole prompt, in tokens at the full input price. */
  readonly price: number
  /** Calls as `tool {input}`, or the text. */
  readonly said: readonly string[]
}

/** What happened at each step, by the requests themselves. */
export function stepReports(
  recorded: readonly Recorded[],
  facts: ProviderFacts,
): readonly StepReport[] {
  const images = recorded.map(({ request }) => requestImage(request))
  return recorded.map(({ request, said }, index) => {
    const image = images[index] ?? requestImage(request)
    const before = images[index - 1] ?? null
    const { kept, price } = predictChange(before, image, facts)
    return {
      tools: (request.tools ?? []).map(({ name }) => name),
      tokens: {
        definitions: tokensOf(image.tools),
        instructions: tokensOf(image.instructions),
        conversation: tokensOf(image.conversation),
        ...searchPageTokens(request),
      },
      previous: before === null ? 0 : tokensOf(Object.values(before).flat()),
      kept,
      price,
      said: said.flatMap(saidText),
    }
  })
}

function tokensOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

function saidText(part: LanguageModelV4Content): readonly string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'tool-call' ? [`${part.toolName} ${part.input}`] : []
}
