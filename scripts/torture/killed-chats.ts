import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { openChatStore } from '../../src/workbench/playground/chat/chat-store.ts'
import { ORDERS_PAID_BACK } from './orders-paid-back.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'

const KILLS = 200

const KILLS_A_RUN = 20

const CHILD = fileURLToPath(new URL('./chat-in-child.ts', import.meta.url))

const MESSAGES = ORDERS_PAID_BACK.steps.map(({ user }) => user)

/**
 * Plays a scenario in `loadout run`, and kills its process at random moments. Another process continues
 * with `--session`.
 */
export const killedChats: TorturePart = {
  name: 'chats',
  claim:
    'A conversation of `loadout run` whose process is killed at any moment is continued with `--session`: same end, no call twice.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const expected = await withFolder((folder) => talk(folder, 0, dice))
    const kills = Math.ceil(KILLS * scale)
    const failures = expected.problems.map((problem) => `without kills: ${problem}`)
    const seen = { runs: 0, kills: 0, inTurns: 0, inCalls: 0, unknown: 0 }
    while (seen.kills < kills && performance.now() < until) {
      const most = Math.min(kills - seen.kills, KILLS_A_RUN)
      const run = await withFolder((folder) => talk(folder, most, dice))
      seen.runs += 1
      seen.kills += run.kills
      seen.inTurns += run.inTurns
      seen.inCalls += run.inCalls
      const { unknown, problems } = compare(run, expected)
      seen.unknown += unknown
      failures.push(
        ...[...run.problems, ...problems].map((problem) => `run ${seen.runs}: ${problem}`),
      )
    }
    return {
      figures: {
        'conversations of 6 messages': seen.runs,
        'processes killed': seen.kills,
        'of them in a turn': seen.inTurns,
        'of them in a call': seen.inCalls,
        'answers that say that the outcome of a call is unknown': seen.unknown,
      },
      failures,
      ...(seen.kills < kills && { done: seen.kills / kills }),
    }
  },
}

interface Talk {
  /** The last text of each turn. */
  readonly answers: readonly string[]
  readonly deeds: readonly string[]
  readonly kills: number
  readonly inTurns: number
  readonly inCalls: number
  readonly problems: readonly string[]
}

async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Says all messages. Kills the process `kills` times, each time after some of its events. */
async function talk(folder: string, kills: number, dice: Dice): Promise<Talk> {
  writeTill(folder)
  let [killed, inTurns, inCalls] = [0, 0, 0]
  const problems: string[] = []
  for (;;) {
    const isKill = killed < kills
    const events = await runProcess(folder, isKill ? dice : null)
    if (!isKill) break
    killed += 1
    const last = events.at(-1)
    if (last !== undefined && last !== 'turn.ended' && last !== 'session.opened') inTurns += 1
    if (last === 'call.started') inCalls += 1
    if (saidIn(folder).length === MESSAGES.length && !isOpen(folder)) break
  }
  await using log = await openSqliteLog(join(folder, 'log.sqlite'), { readOnly: true })
  const ids = new Set<string>()
  for (const { seq, event } of await log.read('chat')) {
    if (event.type !== 'call.started' || event.again !== undefined) continue
    if (ids.has(event.call)) problems.push(`entry ${seq} starts the call ${event.call} again`)
    ids.add(event.call)
  }
  return {
    answers: answersIn(folder),
    deeds: readFileSync(join(folder, 'deeds'), 'utf8').trim().split('\n'),
    kills: killed,
    inTurns,
    inCalls,
    problems,
  }
}

/** A skill for one turn, with a tool that reads, and one that asks first and does something once. */
function writeTill(folder: string): void {
  writeFileSync(join(folder, 'talk.yaml'), JSON.stringify(ORDERS_PAID_BACK))
  const write = (path: string, text: string) => {
    const file = join(folder, 'skills', 'till', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const tool = (name: string, schema: object, handler: string) => {
    write(
      `tools/${name}/schema.json`,
      JSON.stringify({ toolId: name, version: '1.0.0', ...schema }),
    )
    write(`tools/${name}/doc_summary.md`, `${name}.\n`)
    write(`tools/${name}/handler.mjs`, handler)
  }
  write(
    'SKILL.md',
    '---\nname: till\ndescription: Show orders and pay them back.\nmetadata:\n  loadout.lifetime: 1 turns\n---\nLook before you pay.\n',
  )
  tool(
    'list_orders',
    {
      category: 'retrieval',
      idempotent: true,
      description: 'Show the open orders.',
      phrases: ['show the orders'],
      parameters: { type: 'object', properties: {} },
    },
    'export const execute = () => ({ orders: [7, 8, 9] })\n',
  )
  tool(
    'pay_back',
    {
      category: 'action',
      risk: 'destructive',
      description: 'Pay an order back.',
      phrases: ['pay back order 7'],
      parameters: {
        type: 'object',
        properties: { number: { type: 'integer', description: 'Number of the order.' } },
        required: ['number'],
      },
    },
    `import { appendFileSync } from 'node:fs'
export const execute = ({ number }) => {
  appendFileSync(${JSON.stringify(join(folder, 'deeds'))}, 'paid ' + number + '\\n')
  return { paid: number }
}
`,
  )
}

const SESSION = ['--log', 'log.sqlite', '--session', 'chat']

const ARGUMENTS = ['run', 'skills', '--trust', '--json', '--scenario', 'talk.yaml', ...SESSION]

/** Starts the command, says what is left to say, and approves. Returns the types of the events that it printed. */
async function runProcess(folder: string, dice: Dice | null): Promise<readonly string[]> {
  const child = spawn(process.execPath, [CHILD, ...ARGUMENTS], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  const ended = once(child, 'exit')
  const left = MESSAGES.slice(saidIn(folder).length)
  const sayNext = () => {
    const next = left.shift()
    if (next === undefined) child.stdin.end()
    else child.stdin.write(`${next}\n`)
  }
  const resumes = isOpen(folder)
  const events: string[] = []
  let more = dice === null ? Infinity : dice(30)
  for await (const line of createInterface({ input: child.stdout })) {
    const { type } = JSON.parse(line) as { readonly type: string }
    events.push(type)
    if (type === 'asked') child.stdin.write('y\n')
    else if (type === 'turn.ended' || (type === 'session.opened' && !resumes)) sayNext()
    if (dice !== null && (more === 0 || (type === 'turn.ended' && left.length === 0))) {
      const at = performance.now() + dice(4_000) / 1_000
      while (performance.now() < at);
      child.kill('SIGKILL')
    }
    more -= 1
  }
  const [code, signal] = await ended
  if (dice === null && code !== 0) throw new Error(`loadout run ended with ${code ?? signal}.`)
  return events
}

function messagesIn(folder: string) {
  return openChatStore({ folder: join(folder, 'log.sqlite.chats'), user: null }, 'chat').messages
}

function saidIn(folder: string): readonly unknown[] {
  return messagesIn(folder).filter(({ role }) => role === 'user')
}

/** Returns true when a turn waits for its end. */
function isOpen(folder: string): boolean {
  const last = messagesIn(folder).at(-1)
  if (last === undefined) return false
  return (
    last.role !== 'assistant' ||
    (typeof last.content !== 'string' && last.content.some(({ type }) => type !== 'text'))
  )
}

/** Returns the texts and the results of the calls. */
function answersIn(folder: string): readonly string[] {
  return messagesIn(folder).flatMap(({ role, content }) => {
    if (role === 'user') return []
    if (typeof content === 'string') return [content]
    return content.flatMap((part) => {
      if (part.type === 'text') return [part.text]
      // A skill that is loaded again says so.
      const isShown = part.type === 'tool-result' && part.toolName !== 'loadSkill'
      return isShown ? [JSON.stringify(part.output)] : []
    })
  })
}

/** Compares a conversation with the one without kills. A call that was cut short may lack its effect. */
function compare(run: Talk, expected: Talk) {
  const problems: string[] = []
  let unknown = 0
  for (const [index, answer] of expected.answers.entries()) {
    const other = run.answers[index]
    if (other === answer) continue
    if (other?.includes('What it did is not known') === true) unknown += 1
    else problems.push(`answer ${index + 1} is ${JSON.stringify(other)}`)
  }
  if (run.answers.length !== expected.answers.length) problems.push(`${run.answers.length} answers`)
  const twice = run.deeds.filter((deed, at) => run.deeds.indexOf(deed) < at)
  if (twice.length > 0) problems.push(`made twice: ${twice.join(', ')}`)
  const missing = expected.deeds.filter((deed) => !run.deeds.includes(deed))
  if (missing.length > unknown) problems.push(`never made: ${missing.join(', ')}`)
  return { unknown, problems }
}
