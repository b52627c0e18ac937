import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { RequestImage, RequestPart } from 'loadout/adapter'
import { counter } from './count-tokens.ts'

/** A request as a provider's cache compares it: its definitions, its instructions, its messages. */
export function requestImage({ tools = [], prompt }: LanguageModelV4CallOptions): RequestImage {
  const definitions = tools.flatMap((tool) => {
    if (tool.type !== 'function' || isDeferred(tool.providerOptions)) return []
    const { name, description, inputSchema } = tool
    return part(name, JSON.stringify({ name, description, inputSchema }))
  })
  const system = prompt.filter(({ role }) => role === 'system')
  const messages = prompt.filter(({ role }) => role !== 'system')
  return {
    tools: definitions,
    instructions: system.map(({ content }) => part('instructions', textOf(content))),
    conversation: messages.map(({ role, content }) => part(role, textOf(content))),
  }
}

function part(id: string, text: string): RequestPart {
  return { id, key: text, tokens: counter.count(text), text: () => text }
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** Anthropic keeps such a definition out of the prompt until a result refers to it. */
function isDeferred(options: Readonly<Record<string, unknown>> | undefined): boolean {
  const { deferLoading } = { ...(options?.['anthropic'] as { deferLoading?: unknown }) }
  return deferLoading === true
}
