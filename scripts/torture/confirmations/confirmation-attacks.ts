import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  alterArguments,
  alterBindings,
  type AttackResult,
  guessIds,
  replayApprovals,
} from './attack-confirmations.ts'
import { approvePayment, openTill } from './open-till.ts'
import type { RacerMessage } from './racing-process.ts'
import { createDice, type TorturePart } from '../torture-part.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'

/** Numbers of the full run. A smaller run tries a part of each, and at least one. */
const GUESSES = 4_000

const ARGUMENTS = 3_000

const BINDINGS = 3_000

const REPLAYS = 1_000

const RACES = 100

/** Tries every way to get more calls out of consents than were given. */
export const confirmationAttacks: TorturePart = {
  name: 'confirmations',
  claim:
    'No guessed or altered id, argument, principal or tool hash is accepted, and what was approved runs exactly once.',
  async run({ seed, scale }) {
    const dice = createDice(seed)
    const part = (whole: number) => Math.max(1, Math.ceil(whole * scale))
    const ids = await guessIds(part(GUESSES), dice)
    const inputs = await alterArguments(part(ARGUMENTS), dice)
    const bindings = await alterBindings(part(BINDINGS), dice)
    const replays = await replayApprovals(part(REPLAYS))
    const races = await raceApprovals(part(RACES))
    const failures = [ids, inputs, bindings, replays, races].flatMap((one) => one.failures)
    return {
      figures: {
        'guessed and altered ids': ids.tried,
        'altered arguments': inputs.tried,
        'altered principals, tools and hashes': bindings.tried,
        'approvals replayed': replays.tried,
        'races of two processes': races.tried,
        'accepted, or run other than once': failures.length,
      },
      failures: failures.slice(0, 20),
    }
  },
}

const RACERS = 2

/** Lets two processes call an approved tool once, at the same time, over one SQLite log. */
async function raceApprovals(count: number): Promise<AttackResult> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-race-'))
  const file = join(folder, 'sessions.sqlite')
  const log = await openSqliteLog(file)
  const till = await openTill(log, () => undefined)
  const racers = await Promise.all(Array.from({ length: RACERS }, () => aRacer(file)))
  const failures: string[] = []
  try {
    for (let tried = 0; tried < count; tried += 1) {
      const order = `order-${tried}`
      await approvePayment(till, order)
      const answers = await Promise.all(racers.map((racer) => answerOf(racer, order)))
      const ran = answers.reduce((sum, answer) => sum + answer.paid, 0)
      const succeeded = answers.filter(({ ok }) => ok).length
      if (ran !== 1 || succeeded !== 1) {
        failures.push(`${order}: ran ${ran} times, ${succeeded} processes succeeded`)
      }
    }
  } finally {
    for (const racer of racers) racer.kill('SIGKILL')
    await till.close()
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { tried: count, failures }
}

async function aRacer(file: string): Promise<ChildProcess> {
  const racer = fork(new URL('./racing-process.ts', import.meta.url), [file], { execArgv: [] })
  await once(racer, 'message')
  return racer
}

async function answerOf(racer: ChildProcess, order: string): Promise<RacerMessage> {
  const answer = once(racer, 'message')
  racer.send(order)
  const [message] = await answer
  return message as RacerMessage
}
