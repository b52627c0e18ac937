import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { DISK_LOGS, type DiskLog, openTorturedLog, writtenEntry } from './open-tortured-log.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { textHash } from '../../src/kernel/content-hash.ts'

const KILLS = 1_000

/** Kills for each file: reading a file takes longer after each. */
const KILLS_A_FILE = 25

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url))

/** Kills writers at random moments: no acknowledged entry is lost. */
export const killedWriters: TorturePart = {
  name: 'kills',
  claim: 'A writer that is killed at any moment loses no acknowledged entry.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const kills = Math.ceil(KILLS * scale)
    const failures: string[] = []
    let files = 0
    const seen = { kills: 0, longest: 0, unheard: 0, unfinished: 0 }
    while (seen.kills < kills && performance.now() < until) {
      const log = DISK_LOGS[files % DISK_LOGS.length] ?? 'sqlite-full'
      const left = Math.min(kills - seen.kills, Math.ceil(kills / DISK_LOGS.length), KILLS_A_FILE)
      files += 1
      const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
      try {
        const file = join(folder, 'log')
        for (let kill = 0; kill < left; kill += 1) {
          const acknowledged = await killOnce(log, file, dice)
          seen.kills += 1
          seen.longest = Math.max(seen.longest, acknowledged.last)
          const found = await examine(log, file, acknowledged)
          if (found.failure !== null) failures.push(`${log}, kill ${seen.kills}: ${found.failure}`)
          seen.unheard += found.unheard
          seen.unfinished += found.unfinished
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
    return {
      figures: {
        'writers killed': seen.kills,
        'entries of the longest log': seen.longest + 1,
        'acknowledged entries lost': failures.length,
        'appends that were complete, and not yet acknowledged': seen.unheard,
        'torn lines that were set aside': seen.unfinished,
      },
      failures,
      done: seen.kills / kills,
    }
  },
}

/** The last acknowledged append, by its entries; -1 when there was none. */
interface Acknowledged {
  readonly first: number
  readonly last: number
}

/** Starts a writer and kills it a little after its first append. Returns its last acknowledgement. */
async function killOnce(log: DiskLog, file: string, dice: Dice): Promise<Acknowledged> {
  const child = spawn(process.execPath, [CHILD, '--log', log, '--file', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let [first, last] = [-1, -1]
  let appends = dice(12)
  for await (const line of createInterface({ input: child.stdout })) {
    ;[first = -1, last = -1] = line.split(' ').map(Number)
    if (appends === 0) killSoon(child, dice)
    appends -= 1
  }
  // Its output ends a little before the process does.
  await ended
  return { first, last }
}

/** Waits some microseconds, so that the kill meets every part of an append. */
function killSoon(child: { kill(signal: 'SIGKILL'): boolean }, dice: Dice): void {
  const at = performance.now() + dice(3_000) / 1_000
  while (performance.now() < at);
  child.kill('SIGKILL')
}

interface Examined {
  readonly failure: string | null
  readonly unheard: number
  readonly unfinished: number
}

/** Checks what a killed writer left, as the next process would: by reading it and continuing it. */
async function examine(
  kind: DiskLog,
  file: string,
  { first, last: acknowledged }: Acknowledged,
): Promise<Examined> {
  const log = await openTorturedLog(kind, file)
  try {
    const entries = await log.read('s1')
    const { length } = entries
    const unheard = length > acknowledged + 1 ? 1 : 0
    const bad = (failure: string): Examined => ({ failure, unheard, unfinished: 0 })
    if (length <= acknowledged)
      return bad(`${acknowledged} was acknowledged, and there are ${length}`)
    const wrong = entries.findIndex((entry, seq) => !isDeepStrictEqual(entry, writtenEntry(seq)))
    if (wrong >= 0) return bad(`entry ${wrong} is not what was written`)
    if (first >= 0 && (await log.definitions.get([textHash(`${first}`)])).size === 0) {
      return bad(`the definition that came with entry ${first} is gone`)
    }
    await log.append('s1', length, [writtenEntry(length)])
    if ((await log.read('s1', length)).length !== 1) return bad('it cannot be continued')
    const unfinished = 'notices' in log && (log.notices as unknown[]).length > 0 ? 1 : 0
    return { failure: null, unheard, unfinished }
  } catch (error) {
    return { failure: `it cannot be read: ${String(error)}`, unheard: 0, unfinished: 0 }
  } finally {
    await log.close()
  }
}
