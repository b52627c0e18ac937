import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteLog } from '../../../src/adapters/logs/sqlite/open-sqlite-log.ts'
import type { AttackResult } from './attack-confirmations.ts'
import { approvePayment, openTill } from './open-till.ts'
import type { RacerMessage } from './racing-process.ts'

const RACERS = 2

/** Let two processes call what was approved once, at the same time, over one SQLite log. */
export async function raceApprovals(count: number): Promise<AttackResult> {
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
      const said = answers.filter(({ ok }) => ok).length
      if (ran !== 1 || said !== 1) {
        failures.push(`${order}: ran ${ran} times, ${said} processes say so`)
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
  const racer = fork(new URL('racing-process.ts', import.meta.url), [file], { execArgv: [] })
  await once(racer, 'message')
  return racer
}

async function answerOf(racer: ChildProcess, order: string): Promise<RacerMessage> {
  const answer = once(racer, 'message')
  racer.send(order)
  const [message] = await answer
  return message as RacerMessage
}
