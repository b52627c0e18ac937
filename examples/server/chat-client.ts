import { setTimeout as delay } from 'node:timers/promises'
import type { ChatEvent } from './chat-event.ts'

/** A user's side of a conversation, over servers of which any may die at any moment. */
export interface ChatClient {
  /** Say something, and give what it came to: an answer, or a question to be decided. */
  say(id: string, text: string): Promise<Settled>
  decide(confirmation: string, approved: boolean): Promise<Settled>
  read(): Promise<unknown>
}

export type Settled = Extract<ChatEvent, { type: 'done' | 'question' }>

interface ClientOptions {
  readonly chat: string
  readonly token: string
  /** Addresses of the servers, asked anew each time: they come and go. */
  servers(): readonly string[]
  /** Told of each line as it comes. */
  onEvent?(event: ChatEvent): void
}

/** Pause before the other server is asked, in milliseconds, and how often before it is given up. */
const PAUSE_MS = 20
const ATTEMPTS = 500

/**
 * A request that breaks off is sent again, with the same id, to the next server: what was stored of it
 * is not stored twice.
 */
export function chatClient({ chat, token, servers, onEvent }: ClientOptions): ChatClient {
  let turn = 0
  const retried = async <T>(attempt: (server: string) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const all = servers()
      turn += 1
      try {
        return await attempt(all[turn % all.length] ?? '')
      } catch (error) {
        if (tries === ATTEMPTS) throw error
      }
      await delay(PAUSE_MS)
    }
  }
  const request = async (server: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${server}/chats/${encodeURIComponent(chat)}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response
  }
  const settled = (path: string, body: object) =>
    retried(async (server) => {
      for await (const event of linesOf(await request(server, path, body))) {
        onEvent?.(event)
        if (event.type === 'done' || event.type === 'question') return event
        if (event.type === 'failed') throw new Error(event.message)
      }
      throw new Error('The answer broke off.')
    })
  return {
    say: (id, text) => settled('/messages', { id, text }),
    decide: (confirmation, approved) =>
      settled(`/confirmations/${encodeURIComponent(confirmation)}`, { approved }),
    read: () => retried(async (server) => (await request(server, '')).json()),
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<ChatEvent> {
  let rest = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ChatEvent
  }
}
