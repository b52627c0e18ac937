// In Next.js this file is app/api/chat/route.ts.
import { openSqliteLog } from 'loadout/sqlite'
import { answerChat } from './answer-chat.ts'
import { openChats } from './open-chats.ts'

/** SQLite needs Node and a disk. On machines that share no disk, take `loadout/postgres`. */
export const runtime = 'nodejs'

const log = openSqliteLog('sessions.sqlite')
const chats = openChats('chats.sqlite')

export async function POST(request: Request): Promise<Response> {
  // Your own authentication.
  const user = request.headers.get('x-user')
  if (user === null) return Response.json({ error: 'Sign in.' }, { status: 401 })
  return answerChat(request, { log: await log, chats, model: 'openai/gpt-5', user })
}
