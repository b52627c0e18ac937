import type { ModelMessage } from 'ai'

/** Copies messages, and tells Anthropic to cache up to each of the last two. Earlier marks are removed. */
export function markForCache(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) => {
    const isLast = index >= messages.length - 2
    const cacheControl = isLast ? { type: 'ephemeral' } : undefined
    const anthropic = { ...message.providerOptions?.['anthropic'], cacheControl }
    return { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  })
}
