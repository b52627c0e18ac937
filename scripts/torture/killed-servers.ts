import type { ModelMessage } from 'ai'
import pg from 'pg'
import { chatClient } from '../../examples/server/chat-client.ts'
import {
  type RunningServer,
  startDatabase,
  startServer,
} from '../../examples/server/start-servers.ts'
import { createDice, type TorturePart } from './torture-part.ts'
import { openPostgresLog } from '../../src/adapters/logs/postgres/open-postgres-log.ts'

const KILLS = 20

/** Lines that users get from one kill to the next, at most. */
const LINES = 25

/** What each user says at least. */
const TURNS = 4

/** Conversations that go on at once, each with another user's messages. */
const CHATS = [
  { chat: 'c1', token: 'token-of-ada' },
  { chat: 'c2', token: 'token-of-bob' },
  { chat: 'c3', token: 'token-of-eve' },
]

/** The two servers of the example, one of which is killed again and again while users talk. */
export const killedServers: TorturePart = {
  name: 'servers',
  claim: 'Servers that are killed at any moment lose and double nothing that was said.',
  async run({ seed, scale }) {
    const kills = Math.ceil(KILLS * scale)
    const database = await startDatabase()
    const servers = await Promise.all([startServer(database.url), startServer(database.url)])
    try {
      const said = await talk({ database: database.url, servers, kills, dice: createDice(seed) })
      const kept = await compare(database.url, servers, said.turns)
      const failures = [...said.failures, ...kept]
      const turns = said.turns.reduce((sum, count) => sum + count, 0)
      const figures = {
        'conversations at once': CHATS.length,
        'servers killed': kills,
        'messages answered': turns,
        'messages lost, doubled or answered otherwise': failures.length,
      }
      return { figures, failures }
    } finally {
      for (const server of servers) await server.kill()
      await database.stop()
    }
  },
}

interface Talk {
  readonly database: string
  /** A server that was killed gives its place to the next one. */
  readonly servers: RunningServer[]
  readonly kills: number
  readonly dice: (below: number) => number
}

/** Let all users talk until the last kill is over; how many messages each of them got answered. */
async function talk({ database, servers, kills, dice }: Talk) {
  const failures: string[] = []
  let killed = 0
  let untilKill = dice(LINES)
  let restarting: Promise<void> | null = null
  const restart = async (which: number) => {
    await servers[which]?.kill()
    servers[which] = await startServer(database)
    restarting = null
  }
  /** At every line that a user gets it may be time to kill the server of the moment. */
  const onEvent = () => {
    untilKill -= 1
    if (untilKill > 0 || restarting !== null || killed === kills) return
    restarting = restart(killed % 2)
    killed += 1
    untilKill = dice(LINES)
  }
  const turns = await Promise.all(
    CHATS.map(async ({ chat, token }, index) => {
      const client = chatClient({ chat, token, servers: () => urlsOf(servers), onEvent })
      let turn = 0
      const goesOn = () => killed < kills || turn < TURNS
      for (; goesOn(); turn += 1) {
        const { text, answer } = turnOf(index, turn)
        let settled = await client.say(`${turn}`, text)
        while (settled.type === 'question') {
          settled = await client.decide(settled.confirmation, true)
        }
        if (settled.answer === answer) continue
        failures.push(`${chat} was told "${settled.answer}" in place of "${answer}"`)
      }
      return turn
    }),
  )
  await restarting
  return { turns, failures }
}

/** What of the conversations, and of what was done in them, is not in the database as it was said. */
async function compare(
  database: string,
  servers: readonly RunningServer[],
  turns: readonly number[],
): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: database })
  const log = await openPostgresLog(pool)
  const failures: string[] = []
  for (const [index, { chat, token }] of CHATS.entries()) {
    const client = chatClient({ chat, token, servers: () => urlsOf(servers) })
    const { messages } = (await client.read()) as { readonly messages: readonly ModelMessage[] }
    const count = turns[index] ?? 0
    const expected = Array.from({ length: count }, (_, turn) => turnOf(index, turn)).flatMap(
      ({ text, answer }) => [text, answer],
    )
    const found = messages.flatMap(textOf)
    if (found.join('\n') !== expected.join('\n')) {
      failures.push(`${chat} reads ${JSON.stringify(found)}`)
    }
    const entries = await log.read(chat)
    if (entries.some(({ seq }, at) => seq !== at)) failures.push(`${chat} has a gap in its session`)
  }
  const paidBack = turns.reduce((sum, count) => sum + Math.floor(count / 2), 0)
  const { rowCount } = await pool.query('SELECT FROM paid_back')
  if (rowCount !== paidBack) failures.push(`${rowCount} orders were paid back, not ${paidBack}`)
  await log.close()
  await pool.end()
  return failures
}

function urlsOf(servers: readonly RunningServer[]): string[] {
  return servers.map(({ url }) => url)
}

/** What the user of a conversation says at a turn, and what has to come of it. */
function turnOf(chat: number, turn: number): { readonly text: string; readonly answer: string } {
  const order = (chat + 1) * 1_000 + turn
  return turn % 2 === 0
    ? { text: `Where is my order ${order}?`, answer: `You paid ${7 * order} for order ${order}.` }
    : { text: `Money back for order ${order}, please.`, answer: `Order ${order} was paid back.` }
}

/** What a user reads of a message. */
function textOf({ role, content }: ModelMessage): readonly string[] {
  if (role === 'tool' || role === 'system') return []
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (part.type === 'text' ? part.text : []))
}
