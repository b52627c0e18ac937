import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'

const RUNS = 60

/** Kills in one run, at most; then it is left to end. */
const KILLS_A_RUN = 4

const TASKS = 3

const CHILD = fileURLToPath(new URL('./task-in-child.ts', import.meta.url))

/** Kills a process whose subagents work, at random moments, and continues it in others until each has answered. */
export const killedTasks: TorturePart = {
  name: 'tasks',
  claim:
    'Subagents that are killed at any moment continue: none makes a call twice, and prices sum.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const runs = Math.ceil(RUNS * scale)
    const failures: string[] = []
    const seen = { runs: 0, kills: 0, deeds: 0, lost: 0 }
    while (seen.runs < runs && performance.now() < until) {
      const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
      try {
        const { kills, done } = await runWithKills(folder, dice)
        const { problems, deeds, lost } = await examine(folder, done)
        seen.runs += 1
        seen.kills += kills
        seen.deeds += deeds
        seen.lost += lost
        failures.push(...problems.map((problem) => `run ${seen.runs}: ${problem}`))
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
    return {
      figures: {
        'runs of three subagents': seen.runs,
        'processes killed': seen.kills,
        'calls made': seen.deeds,
        'calls whose result was lost': seen.lost,
      },
      failures,
      ...(seen.runs < runs && { done: seen.runs / runs }),
    }
  },
}

interface KilledRun {
  readonly kills: number
  /** The answers of the subagents. */
  readonly done: readonly string[]
}

async function runWithKills(folder: string, dice: Dice): Promise<KilledRun> {
  for (let kills = 0; ; kills += 1) {
    const done = await runOnce(folder, kills < KILLS_A_RUN ? dice : null)
    if (done !== null) return { kills, done }
  }
}

/**
 * Runs a process, and kills it after some of its moments: calls, and messages that it stores. Returns the answers of
 * the subagents; null when it was killed before.
 */
async function runOnce(folder: string, dice: Dice | null): Promise<readonly string[] | null> {
  const child = spawn(process.execPath, [CHILD, '--folder', folder, '--tasks', String(TASKS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let moments = dice === null ? Infinity : dice(25)
  let done: readonly string[] | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    moments -= 1
    if (moments < 0 && dice !== null) killSoon(child, dice)
    if (line.startsWith('done ')) done = JSON.parse(line.slice('done '.length)) as string[]
  }
  const [code, signal] = await ended
  if (done === null && signal === null) throw new Error(`The process ended with ${String(code)}.`)
  return done
}

/** Waits some microseconds, so that the kill meets every part of what the process does. */
function killSoon(child: { kill(signal: 'SIGKILL'): boolean }, dice: Dice): void {
  const at = performance.now() + dice(3_000) / 1_000
  while (performance.now() < at);
  child.kill('SIGKILL')
}

/** Checks what is left when all subagents have answered. */
async function examine(folder: string, done: readonly string[]) {
  const problems: string[] = []
  const expected = Array.from({ length: TASKS }, (_, at) => `task ${at} is done`)
  if (done.join() !== expected.join()) problems.push(`the answers are ${done.join(', ')}`)
  const file = join(folder, 'deeds')
  const deeds = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const twice = deeds.filter((deed, at) => deeds.indexOf(deed) < at)
  if (twice.length > 0) problems.push(`made twice: ${twice.join(', ')}`)
  await using log = await openSqliteLog(join(folder, 'log.sqlite'), { readOnly: true })
  const states = new Map(
    await Promise.all(
      (await log.list()).map(
        async ({ session }) => [session, fold(await log.read(session))] as const,
      ),
    ),
  )
  const parent = states.get('parent')
  const prices = [...states.values()].reduce((sum, { spent }) => sum + spent.price, 0)
  const summed = (parent?.spent.price ?? 0) + (parent?.spentByChildren.price ?? 0)
  // The price of a step may have parts of a token.
  if (Math.abs(prices - summed) > 1e-6 * prices) {
    problems.push(`the prices are ${prices}, and the parent has ${summed}`)
  }
  const open = parent?.children.filter(
    ({ session, isOpen }) => isOpen && (states.get(session)?.step ?? 0) > 0,
  )
  if (open === undefined || open.length > 0) problems.push(`${open?.length} children are open`)
  return { problems, deeds: deeds.length, lost: TASKS * 4 - deeds.length }
}
