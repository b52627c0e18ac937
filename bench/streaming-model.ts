/** The first token of each answer. */
export const STREAMED_START = 'THE-START:'

/** The last token of each answer. */
export const STREAMED_END = 'THE-END.'

const PER_SECOND = 200

/** Milliseconds between two looks at the clock. */
const TICK_MS = 5

/** Words in a line of the answer. */
const LINE = 60

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** The part of the chat's own module that is used here; no public name opens a conversation. */
interface ChatModule {
  openChat(options: object): Promise<unknown>
}

/** Opens conversations with a model whose answers have a number of tokens, 200 a second by the clock. */
export function openStreamingModel(tokens: number): (parts: object) => Promise<unknown> {
  const configured = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'streaming',
    supportedUrls: {},
    doStream: async () => ({ stream: answerOf(tokens) }),
  }
  return async (parts) => {
    const chat: unknown = await import(
      new URL('../src/workbench/playground/chat/open-chat.ts', import.meta.url).href
    )
    return (chat as ChatModule).openChat({ ...parts, chats: null, configured })
  }
}

function answerOf(tokens: number): ReadableStream<object> {
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<object>({
    start(controller) {
      const id = '0'
      controller.enqueue({ type: 'stream-start', warnings: [] })
      controller.enqueue({ type: 'text-start', id })
      const start = performance.now()
      let sent = 0
      timer = setInterval(() => {
        const due = Math.min(tokens, Math.floor(((performance.now() - start) * PER_SECOND) / 1000))
        for (; sent < due; sent += 1) {
          controller.enqueue({ type: 'text-delta', id, delta: wordAt(sent, tokens) })
        }
        if (sent < tokens) return
        clearInterval(timer)
        controller.enqueue({ type: 'text-end', id })
        controller.enqueue({
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage: USAGE,
        })
        controller.close()
      }, TICK_MS)
    },
    cancel: () => clearInterval(timer),
  })
}

function wordAt(place: number, tokens: number): string {
  if (place === 0) return `${STREAMED_START} `
  if (place === tokens - 1) return ` ${STREAMED_END}`
  return place % LINE === LINE - 1 ? `word${place}.\n` : `word${place} `
}
