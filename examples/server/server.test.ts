import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatClient } from './chat-client.ts'
import type { ChatEvent } from './chat-event.ts'
import {
  startDatabase,
  startServer,
  type RunningDatabase,
  type RunningServer,
} from './start-servers.ts'

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
