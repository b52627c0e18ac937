import type { ModelMessage } from 'ai'

/** Copies messages, and marks the last two: Anthropic caches what ends there. Earlier marks are removed. */
export function markForCache(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) => {
    const isLast = index >= messages.length - 2
    const cacheControl = isLast ? { type: 'ephemeral' } : undefined
    const anthropic = { ...message.providerOptions?.['anthropic'], cacheControl }
    return { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  })
}
