import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelMessage } from 'ai'
import { openPostgresLog } from 'loadout/postgres'
import { chatClient } from './chat-client.ts'
import type { ChatEvent } from './chat-event.ts'
import {
  startDatabase,
  startServer,
  type RunningDatabase,
  type RunningServer,
} from './start-servers.ts'

const KILLS = 20
/** Conversations that go on at once, each with another user's messages. */
const CHATS = [
  { chat: 'c1', token: 'token-of-ada' },
  { chat: 'c2', token: 'token-of-bob' },
  { chat: 'c3', token: 'token-of-eve' },
]

let database: RunningDatabase
let servers: RunningServer[] = []

beforeAll(async () => {
  database = await startDatabase()
  servers = await Promise.all([startServer(database.url), startServer(database.url)])
})

afterAll(async () => {
  for (const server of servers) await server.kill()
  await database.stop()
})

const urls = () => servers.map(({ url }) => url)
const ask = (path: string, token: string | null, body?: unknown) =>
  fetch(`${servers[0]?.url}${path}`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

test.each([
  { what: 'nobody', path: '/chats/x1', token: null, body: undefined, status: 401 },
  { what: 'a stranger', path: '/chats/x1', token: 'guess', body: undefined, status: 401 },
  { what: 'no text', path: '/chats/x1/messages', token: 'token-of-ada', body: {}, status: 400 },
])('$what is refused with $status', async ({ path, token, body, status }) => {
  expect((await ask(path, token, body)).status).toBe(status)
})

test("a user's conversation is nobody else's", async () => {
  const ada = chatClient({ chat: 'x2', token: 'token-of-ada', servers: urls })
  await ada.say('1', 'Where is my order 4?')
  expect((await ask('/chats/x2', 'token-of-bob')).status).toBe(404)
  const message = { id: '2', text: 'Where is my order 5?' }
  expect((await ask('/chats/x2/messages', 'token-of-bob', message)).status).toBe(404)
})

test('while a question is open, nothing else is said, and only its own answer is taken', async () => {
  const events: ChatEvent[] = []
  const ada = chatClient({
    chat: 'x3',
    token: 'token-of-ada',
    servers: urls,
    onEvent: (event) => void events.push(event),
  })
  const asked = await ada.say('1', 'Money back for order 900, please.')
  expect(asked).toMatchObject({ type: 'question', tool: 'refund', input: { order: '900' } })
  const other = { id: '2', text: 'Where is my order 5?' }
  const refused = await (await ask('/chats/x3/messages', 'token-of-ada', other)).text()
  expect(refused).toContain('"failed"')
  const wrong = await (
    await ask('/chats/x3/confirmations/guess', 'token-of-ada', { approved: true })
  ).text()
  expect(wrong).toContain('"failed"')
  const { confirmation } = asked as Extract<ChatEvent, { type: 'question' }>
  expect(await ada.decide(confirmation, false)).toEqual({
    type: 'done',
    answer: 'Order 900 stays as it is.',
  })
  expect(await ada.say('2', other.text)).toMatchObject({ answer: 'You paid 35 for order 5.' })
})

/** What the user of a conversation says at a turn, and what has to come of it. */
function turnOf(chat: number, turn: number) {
  const order = `${(chat + 1) * 1_000 + turn}`
  const paid = 7 * Number(order)
  return [
    { text: `Where is my order ${order}?`, answer: `You paid ${paid} for order ${order}.` },
    { text: `Money back for order ${order}, please.`, answer: `Order ${order} was paid back.` },
  ][turn % 2] as { text: string; answer: string }
}

test(
  `servers that are killed ${KILLS} times at any moment lose and double nothing that was said`,
  { timeout: 120_000 },
  async () => {
    const [moments = []] = fc.sample(
      fc.array(fc.integer({ min: 0, max: 25 }), { minLength: KILLS, maxLength: KILLS }),
      { numRuns: 1, seed: Number(process.env['TORTURE_SEED'] ?? 17) },
    )
    let kills = 0
    let untilKill = moments[0] ?? 0
    let restarting: Promise<void> | null = null
    /** At every line that a user gets it may be time to kill the server of the moment. */
    const onEvent = () => {
      untilKill -= 1
      if (untilKill > 0 || restarting !== null || kills === KILLS) return
      const which = kills % 2
      kills += 1
      untilKill = moments[kills] ?? 0
      restarting = servers[which]?.kill().then(async () => {
        servers[which] = await startServer(database.url)
        restarting = null
      }) as Promise<void>
    }
    const turns = await Promise.all(
      CHATS.map(async ({ chat, token }, index) => {
        const client = chatClient({ chat, token, servers: urls, onEvent })
        let turn = 0
        const isOver = () => kills === KILLS && turn >= 4
        for (; !isOver(); turn += 1) {
          const { text, answer } = turnOf(index, turn)
          let settled = await client.say(`${turn}`, text)
          while (settled.type === 'question') {
            settled = await client.decide(settled.confirmation, true)
          }
          expect(settled.answer).toBe(answer)
        }
        return turn
      }),
    )
    await restarting
    expect(kills).toBe(KILLS)

    const pool = new pg.Pool({ connectionString: database.url })
    const log = await openPostgresLog(pool)
    for (const [index, { chat, token }] of CHATS.entries()) {
      const client = chatClient({ chat, token, servers: urls })
      const { messages } = (await client.read()) as { readonly messages: readonly ModelMessage[] }
      const expected = Array.from({ length: turns[index] ?? 0 }, (_, turn) => turnOf(index, turn))
      expect(messages.flatMap(textOf)).toEqual(
        expected.flatMap(({ text, answer }) => [text, answer]),
      )
      const entries = await log.read(chat)
      expect(entries.map(({ seq }) => seq)).toEqual([...entries.keys()])
    }
    const paidBack = turns.reduce((sum, count) => sum + Math.floor(count / 2), 0)
    const { rowCount } = await pool.query('SELECT FROM paid_back')
    expect(rowCount).toBe(paidBack)
    await log.close()
    await pool.end()
  },
)

/** What a user reads of a message. */
function textOf({ role, content }: ModelMessage): readonly string[] {
  if (role === 'tool' || role === 'system') return []
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (part.type === 'text' ? part.text : []))
}
