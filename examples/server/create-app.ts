import type { LanguageModel, ModelMessage } from 'ai'
import { Hono, type Context } from 'hono'
import { stream } from 'hono/streaming'
import { VirtualWorkspace, WorkspaceError, type EventLog } from 'loadout'
import { z } from 'zod'
import { answer } from './answer.ts'
import { catalog, type Services } from './catalog.ts'
import type { ChatEvent } from './chat-event.ts'
import type { Chats } from './chats.ts'
import { openQuestion } from './open-question.ts'
import { userOf } from './users.ts'

interface AppParts {
  readonly log: EventLog
  readonly chats: Chats
  readonly services: Services
  readonly model: LanguageModel
}

const Said = z.object({ id: z.string().min(1).max(100), text: z.string().min(1).max(10_000) })
const Decided = z.object({ approved: z.boolean() })

/**
 * The server: it keeps nothing of its own, so any process answers any request. A conversation is its
 * session in the log and its messages; both are opened for one request, and closed.
 */
export function createApp({ log, chats, services, model }: AppParts): Hono {
  const app = new Hono()

  const withChat = async (
    context: Context,
    work: (chat: string, workspace: VirtualWorkspace) => Promise<Response>,
  ): Promise<Response> => {
    const user = userOf(context.req.header('authorization'))
    if (user === null) return context.json({ error: 'Say who you are.' }, 401)
    const chat = context.req.param('id') ?? ''
    try {
      const principal = { id: user }
      const workspace = await VirtualWorkspace.open<Services>({
        catalog,
        agent: 'clerk',
        session: chat,
        log,
        principal,
        services,
      })
      return await work(chat, workspace as VirtualWorkspace)
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      // Whose it is instead is nobody else's business.
      if (error.code === 'SESSION_MISMATCH') return context.json({ error: 'No such chat.' }, 404)
      if (error.code === 'LOG_UNREACHABLE') return context.json({ error: error.message }, 503)
      throw error
    }
  }

  /** Store what was said, once, and stream what the conversation comes to. */
  const goOn = (
    context: Context,
    chat: string,
    workspace: VirtualWorkspace,
    id: string,
    said: (messages: readonly ModelMessage[]) => ModelMessage | null,
  ): Response =>
    stream(context, async (out) => {
      const tell = (event: ChatEvent) => out.write(`${JSON.stringify(event)}\n`)
      try {
        await chats.alone(chat, async () => {
          const messages = await chats.read(chat)
          const message = (await chats.has(chat, id)) ? undefined : said(messages)
          if (message === null) {
            await tell({ type: 'failed', message: 'Not at this point of the conversation.' })
            return
          }
          if (message !== undefined) await chats.add(chat, messages.length, [message], id)
          await tell({ type: 'accepted', id })
          for await (const event of answer({ chat, chats, workspace, model })) await tell(event)
        })
      } catch (error) {
        await tell({ type: 'failed', message: String(error) })
      } finally {
        await workspace.close()
      }
    })

  app.post('/chats/:id/messages', async (context) => {
    const said = Said.safeParse(await context.req.json().catch(() => null))
    if (!said.success) return context.json({ error: z.prettifyError(said.error) }, 400)
    const { id, text } = said.data
    return withChat(context, async (chat, workspace) =>
      goOn(context, chat, workspace, `message ${id}`, (messages) =>
        openQuestion(messages) === null ? { role: 'user', content: text } : null,
      ),
    )
  })

  app.post('/chats/:id/confirmations/:confirmation', async (context) => {
    const decided = Decided.safeParse(await context.req.json().catch(() => null))
    if (!decided.success) return context.json({ error: z.prettifyError(decided.error) }, 400)
    const { approved } = decided.data
    const approvalId = context.req.param('confirmation')
    return withChat(context, async (chat, workspace) =>
      goOn(context, chat, workspace, `confirmation ${approvalId}`, (messages) =>
        openQuestion(messages)?.confirmation === approvalId
          ? { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] }
          : null,
      ),
    )
  })

  app.get('/chats/:id', (context) =>
    withChat(context, async (chat, workspace) => {
      const { turn, seq } = workspace.state
      const skills = workspace.skills().filter(({ status }) => status === 'active')
      const tools = workspace.getAvailableTools().map(({ name }) => name)
      await workspace.close()
      const messages = await chats.read(chat)
      return context.json({
        messages,
        question: openQuestion(messages),
        session: { turn, seq, skills: skills.map(({ name }) => name), tools },
      })
    }),
  )

  return app
}
