import {
  consumeStream,
  createAgentUIStreamResponse,
  generateId,
  type LanguageModel,
  ToolLoopAgent,
} from 'ai'
import { type EventLog, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { z } from 'zod'
import { catalog } from './catalog.ts'
import type { Chats } from './open-chats.ts'
import { withMessage } from './with-message.ts'

const Sent = z.object({
  id: z.string().min(1).max(100),
  message: z.looseObject({
    id: z.string().min(1).max(100),
    role: z.enum(['user', 'assistant']),
    parts: z.array(z.looseObject({ type: z.string() })),
  }),
})

interface ChatParts {
  readonly log: EventLog
  readonly chats: Chats
  readonly model: LanguageModel
  /** The user that the application has authenticated. */
  readonly user: string
}

/**
 * Answers one request of `useChat`: a message of the user, or the answer to a question. Nothing stays in the process, so the
 * next request may come to another one.
 */
export async function answerChat(
  request: Request,
  { log, chats, model, user }: ChatParts,
): Promise<Response> {
  const sent = Sent.safeParse(await request.json().catch(() => null))
  if (!sent.success) return Response.json({ error: z.prettifyError(sent.error) }, { status: 400 })
  const { id, message } = sent.data
  const chat = `${user}/${id}`
  const messages = withMessage(chats.read(chat), message as never)
  if (messages === null) return Response.json({ error: 'Load the chat again.' }, { status: 409 })
  chats.write(chat, messages)
  const workspace = await VirtualWorkspace.open({
    catalog,
    agent: 'clerk',
    log,
    session: chat,
    principal: { id: user },
  })
  try {
    return await createAgentUIStreamResponse({
      agent: new ToolLoopAgent({ model, ...forAiSdk(workspace) }),
      uiMessages: messages,
      // Without it stored answers have no id, and no later message can name them.
      generateMessageId: generateId,
      // The answer is stored and the session closed also when the browser is gone.
      consumeSseStream: consumeStream,
      async onEnd({ messages: all }) {
        chats.write(chat, all)
        await workspace.close()
      },
    })
  } catch (error) {
    await workspace.close()
    throw error
  }
}
