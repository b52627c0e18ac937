import { list, memberIn, number, object } from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns the model that an address of the Gemini API names; null for another address. */
export function geminiModel(address: string): string | null {
  return /\/models\/([^/:]+):(?:streamG|g)enerateContent$/.exec(address)?.[1] ?? null
}

/**
 * Returns the body of a request to the Gemini API in the form of the Messages API. Calls without an id, and their results,
 * have one by their order.
 */
export function geminiBody(
  { contents, systemInstruction, tools, ...more }: Line,
  model: string,
): Line {
  let [calls, results] = [0, 0]
  const messages = list(contents)
    .map(object)
    .map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      content: list(parts)
        .map(object)
        .map(({ functionCall, functionResponse, ...part }) => {
          if (functionCall !== undefined) {
            const { id = `call-${(calls += 1)}`, name, args: input } = object(functionCall)
            return { type: 'tool_use', id, name, input }
          }
          if (functionResponse === undefined) return part
          const { id = `call-${(results += 1)}`, response } = object(functionResponse)
          const { error, output = response } = object(response)
          const said = error ?? output
          const content = typeof said === 'string' ? said : JSON.stringify(said ?? null)
          return { type: 'tool_result', tool_use_id: id, content, is_error: error !== undefined }
        }),
    }))
  const functions = list(tools).flatMap((tool) => list(memberIn(tool, 'functionDeclarations')))
  return {
    ...more,
    model,
    messages,
    system: list(memberIn(systemInstruction, 'parts')),
    tools: functions.map(object).map(({ name, description, parameters, parametersJsonSchema }) => ({
      name,
      description,
      input_schema: parametersJsonSchema ?? parameters,
    })),
  }
}

/** Returns the tokens that an event of the Gemini API counts, in the form of the Responses API; none for another event. */
export function geminiUsage({ usageMetadata }: Line): Line | undefined {
  if (usageMetadata === undefined) return undefined
  const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount, thoughtsTokenCount } =
    object(usageMetadata)
  return {
    input_tokens: promptTokenCount,
    input_tokens_details: { cached_tokens: cachedContentTokenCount },
    output_tokens: number(candidatesTokenCount) + number(thoughtsTokenCount),
    output_tokens_details: { reasoning_tokens: thoughtsTokenCount },
  }
}
