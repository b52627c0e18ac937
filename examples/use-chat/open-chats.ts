import { DatabaseSync } from 'node:sqlite'
import type { UIMessage } from 'ai'

/** The messages of conversations, as `useChat` shows them. The log of a session has no messages. */
export interface Chats {
  read(chat: string): UIMessage[]
  write(chat: string, messages: readonly UIMessage[]): void
}

/** Opens the conversations in a SQLite file. */
export function openChats(file: string): Chats {
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE IF NOT EXISTS chat (id TEXT PRIMARY KEY, messages TEXT)')
  const find = database.prepare('SELECT messages FROM chat WHERE id = ?')
  const put = database.prepare('REPLACE INTO chat VALUES (?, ?)')
  return {
    read: (chat) => JSON.parse(String(find.get(chat)?.['messages'] ?? '[]')) as UIMessage[],
    write: (chat, messages) => void put.run(chat, JSON.stringify(messages)),
  }
}
