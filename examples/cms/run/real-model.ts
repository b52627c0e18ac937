import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createGateway } from 'ai'

/** A model that cannot be had as things are; the message says what to set. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable'
}

/**
 * A model by `provider/name`. `OPENAI_BASE_URL` names a server that speaks the chat completions of
 * OpenAI: it gets the name alone, and `OPENAI_API_KEY` where it is set. Else the gateway of the AI
 * SDK is asked, with `AI_GATEWAY_API_KEY`.
 */
export function realModel(id: string, environment: NodeJS.ProcessEnv): LanguageModelV4 {
  const slash = id.indexOf('/')
  if (slash <= 0 || slash === id.length - 1) {
    throw new ModelUnavailable(`"${id}" is not like provider/name, such as openai/gpt-5-mini.`)
  }
  const [provider, name] = [id.slice(0, slash), id.slice(slash + 1)]
  const baseURL = environment['OPENAI_BASE_URL']
  if (baseURL) {
    const apiKey = environment['OPENAI_API_KEY']
    return createOpenAICompatible({ name: provider, baseURL, ...(apiKey && { apiKey }) })(name)
  }
  const apiKey = environment['AI_GATEWAY_API_KEY']
  if (!apiKey) {
    throw new ModelUnavailable(
      `No key for "${id}". Set AI_GATEWAY_API_KEY for the gateway of the AI SDK, or OPENAI_BASE_URL ` +
        'and OPENAI_API_KEY for a server that speaks the chat completions of OpenAI.',
    )
  }
  return createGateway({ apiKey })(id)
}
