import type { ModelMessage } from 'ai'
import pg from 'pg'
import { chatClient } from '../../examples/server/chat-client.ts'
import {
  type RunningServer,
  startDatabase,
  startServer,
} from '../../examples/server/start-servers.ts'
import { createDice, type TorturePart } from './torture-part.ts'
import { openPostgresLog } from '../../src/connections/logs/postgres/open-postgres-log.ts'

const KILLS = 20

/** Lines that users receive from one kill to the next, at most. */
const LINES = 25

/** Messages that each user sends, at least. */
const TURNS = 4

/** Simultaneous conversations, each with the messages of a different user. */
const CHATS = [
  { chat: 'c1', token: 'token-of-ada' },
  { chat: 'c2', token: 'token-of-bob' },
  { chat: 'c3', token: 'token-of-eve' },
]

/** Kills one of the two servers of the example again and again while users chat. */
export const killedServers: TorturePart = {
  name: 'servers',
  claim: 'Servers that are killed at any moment neither lose nor repeat a message.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const kills = Math.ceil(KILLS * scale)
    const database = await startDatabase()
    const servers = await Promise.all([startServer(database.url), startServer(database.url)])
    try {
      const dice = createDice(seed)
      const talked = await talk({ database: database.url, servers, kills, until, dice })
      const kept = await compare(database.url, servers, talked.turns)
      const failures = [...talked.failures, ...kept]
      const turns = talked.turns.reduce((sum, count) => sum + count, 0)
      const figures = {
        'conversations at once': CHATS.length,
        'servers killed': talked.killed,
        'messages answered': turns,
        'messages lost, doubled or answered otherwise': failures.length,
      }
      return { figures, failures, done: talked.killed / kills }
    } finally {
      for (const server of servers) await server.kill()
      await database.stop()
    }
  },
}

interface Talk {
  readonly database: string
  /** A killed server is replaced by the next one. */
  readonly servers: RunningServer[]
  readonly kills: number
  /** The time of the last kill, on the clock of `performance`. */
  readonly until: number
  readonly dice: (below: number) => number
}

/** Lets all users chat until the last kill is over. Returns the kills, and the number of answered messages of each. */
async function talk({ database, servers, kills, until, dice }: Talk) {
  const failures: string[] = []
  let killed = 0
  let untilKill = dice(LINES)
  let restarting: Promise<void> | null = null
  const isOver = () => killed === kills || performance.now() >= until
  const restart = async (which: number) => {
    await servers[which]?.kill()
    servers[which] = await startServer(database)
    restarting = null
  }
  /** Each line that a user receives may be followed by a kill of one server. */
  const onEvent = () => {
    untilKill -= 1
    if (untilKill > 0 || restarting !== null || isOver()) return
    restarting = restart(killed % 2)
    killed += 1
    untilKill = dice(LINES)
  }
  const turns = await Promise.all(
    CHATS.map(async ({ chat, token }, index) => {
      const client = chatClient({ chat, token, servers: () => urlsOf(servers), onEvent })
      let turn = 0
      for (; !isOver() || turn < TURNS; turn += 1) {
        const { text, answer } = turnOf(index, turn)
        let settled = await client.say(`${turn}`, text)
        while (settled.type === 'question') {
          settled = await client.decide(settled.confirmation, true)
        }
        if (settled.answer === answer) continue
        failures.push(`${chat} was answered "${settled.answer}" instead of "${answer}"`)
      }
      return turn
    }),
  )
  await restarting
  return { killed, turns, failures }
}

/** Compares the conversations, and their effects, with the messages of the users. Returns the differences. */
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

/** Returns the message of the user of a conversation at a turn, and its required effects. */
function turnOf(chat: number, turn: number): { readonly text: string; readonly answer: string } {
  const order = (chat + 1) * 1_000 + turn
  return turn % 2 === 0
    ? { text: `Where is my order ${order}?`, answer: `You paid ${7 * order} for order ${order}.` }
    : { text: `Money back for order ${order}, please.`, answer: `Order ${order} was paid back.` }
}

/** Returns the text that a user reads of a message. */
function textOf({ role, content }: ModelMessage): readonly string[] {
  if (role === 'tool' || role === 'system') return []
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (part.type === 'text' ? part.text : []))
}
