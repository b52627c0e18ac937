import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
} from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'

/** One request as the model got it, and what it said to it. */
export interface Recorded {
  readonly request: LanguageModelV4CallOptions
  readonly said: readonly LanguageModelV4Content[]
}

/** A model, with a record of what it is sent: what is counted is what went out, not what was meant. */
export function recordRequests(model: LanguageModelV4): {
  readonly model: LanguageModelV4
  readonly recorded: readonly Recorded[]
} {
  const recorded: Recorded[] = []
  const recording = wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapGenerate({ doGenerate, params }) {
        const result = await doGenerate()
        recorded.push({ request: params, said: result.content })
        return result
      },
    },
  })
  return { model: recording, recorded }
}
