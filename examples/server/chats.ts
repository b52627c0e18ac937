import type { ModelMessage } from 'ai'
import type pg from 'pg'
import { createTable } from './create-table.ts'

/**
 * The messages of the conversations. They are the host's: the session's log has what the workspace
 * did, and this table what was said. Both are in one database, and each is whole by itself.
 */
export interface Chats {
  read(chat: string): Promise<readonly ModelMessage[]>
  /**
   * Put messages behind the first `expected` ones, all or none; false when there are more already. A
   * message with the id of one that is there is that one, sent again: it is not added.
   */
  add(
    chat: string,
    expected: number,
    messages: readonly ModelMessage[],
    id?: string,
  ): Promise<boolean>
  has(chat: string, id: string): Promise<boolean>
  /** Do some work on a conversation while no other server does; one that dies lets go at once. */
  alone<T>(chat: string, work: () => Promise<T>): Promise<T>
}

/**
 * @param locks a pool of its own: those who wait for a conversation must not take the connections of
 *   those who have one
 */
export async function openChats(pool: pg.Pool, locks: pg.Pool): Promise<Chats> {
  await createTable(
    pool,
    `chat_message (
       chat text, seq integer, id text, message text NOT NULL,
       PRIMARY KEY (chat, seq), UNIQUE (chat, id))`,
  )
  return {
    async read(chat) {
      const { rows } = await pool.query<{ message: string }>(
        'SELECT message FROM chat_message WHERE chat = $1 ORDER BY seq',
        [chat],
      )
      return rows.map(({ message }) => JSON.parse(message) as ModelMessage)
    },
    async add(chat, expected, messages, id) {
      const { rowCount } = await pool.query(
        `INSERT INTO chat_message SELECT $1, $2 + one.at - 1, CASE one.at WHEN 1 THEN $3 END, one.message
         FROM unnest($4::text[]) WITH ORDINALITY AS one (message, at)
         WHERE (SELECT count(*) FROM chat_message WHERE chat = $1) = $2 ON CONFLICT DO NOTHING`,
        [chat, expected, id ?? null, messages.map((message) => JSON.stringify(message))],
      )
      return rowCount === messages.length
    },
    async has(chat, id) {
      const { rowCount } = await pool.query(
        'SELECT FROM chat_message WHERE chat = $1 AND id = $2',
        [chat, id],
      )
      return rowCount === 1
    },
    async alone(chat, work) {
      const client = await locks.connect()
      client.on('error', () => undefined)
      try {
        await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [chat])
        return await work()
      } finally {
        // The lock goes with the connection.
        client.release(true)
      }
    },
  }
}
