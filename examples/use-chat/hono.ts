import { Hono } from 'hono'
import type { LanguageModel } from 'ai'
import type { EventLog } from 'loadout'
import { answerChat } from './answer-chat.ts'
import type { Chats } from './open-chats.ts'

interface AppParts {
  readonly log: EventLog
  readonly chats: Chats
  readonly model: LanguageModel
  /** Returns the user of a request; null for a stranger. */
  userOf(request: Request): string | null
}

/** `POST /api/chat` for `useChat`, and `GET /api/chat/:id` for the messages that a page begins with. */
export function createApp({ log, chats, model, userOf }: AppParts): Hono {
  const app = new Hono()
  app.post('/api/chat', async (context) => {
    const user = userOf(context.req.raw)
    if (user === null) return context.json({ error: 'Sign in.' }, 401)
    return answerChat(context.req.raw, { log, chats, model, user })
  })
  app.get('/api/chat/:id', (context) => {
    const user = userOf(context.req.raw)
    if (user === null) return context.json({ error: 'Sign in.' }, 401)
    return context.json(chats.read(`${user}/${context.req.param('id')}`))
  })
  return app
}
