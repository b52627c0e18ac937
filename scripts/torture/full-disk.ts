import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DISK_LOGS, type DiskLog, openTorturedLog, writtenEntry } from './open-tortured-log.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { textHash } from '../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'

const ROUNDS = 200

const KILOBYTE = 1_024

/** Free space of a log before its disk is full, in kilobytes. Up to the same amount is added at random. */
const ROOM = 96

/**
 * Kilobytes that are freed on a full disk. One append of SQLite writes every changed page next to the
 * database, and may first have to copy earlier pages into it.
 */
const BALLAST = 64

/** Disks without free space, and read-only disks: an append fails completely, and its error has a cause. */
export const fullDisk: TorturePart = {
  name: 'disk',
  claim:
    'On a full or read-only disk an append fails completely, and all earlier entries stay readable.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const rounds = Math.ceil(ROUNDS * scale)
    const failures: string[] = []
    const seen = { limited: 0, small: 0, readOnly: 0, appends: 0 }
    for (let round = 0; round < rounds && performance.now() < until; round += 1) {
      const kind = round % 2 === 0 ? 'sqlite-os' : 'sqlite-full'
      await inFolder(async (folder) => {
        const bytes = (ROOM + dice(ROOM)) * KILOBYTE
        const filled = await fill(kind, join(folder, 'log'), dice, bytes)
        seen.limited += 1
        seen.appends += filled.appends
        failures.push(...filled.failures.map((one) => `${kind}, ${bytes} bytes: ${one}`))
      })
    }
    const canMount = await withSmallDisk(0, async () => undefined)
    const disks = canMount ? rounds : 0
    for (let round = 0; round < disks && performance.now() < until; round += 1) {
      const kind = DISK_LOGS[round % DISK_LOGS.length] ?? 'sqlite-os'
      const kilobytes = ROOM * 2 + dice(ROOM)
      await withSmallDisk(kilobytes, async (folder) => {
        const filled = await fill(kind, join(folder, 'log'), dice)
        seen.small += 1
        seen.appends += filled.appends
        const problems = [...filled.failures]
        if (mount('remount,ro', folder)) {
          seen.readOnly += 1
          problems.push(...(await readOnly(kind, join(folder, 'log'), filled.appends)))
        }
        failures.push(...problems.map((one) => `${kind}, a disk of ${kilobytes} kB: ${one}`))
      })
    }
    return {
      figures: {
        'databases with a page limit, filled': seen.limited,
        'small disks, filled': seen.small,
        'disks made read-only': seen.readOnly,
        'appends acknowledged before': seen.appends,
        'entries lost, or errors without a name': failures.length,
      },
      failures,
      ...(!canMount && { skipped: 'No disk can be mounted here: it takes root on Linux.' }),
    }
  },
}

interface Filled {
  readonly appends: number
  readonly failures: readonly string[]
}

/** Appends until the disk is full, checks the log, frees space, and continues. */
async function fill(kind: DiskLog, file: string, dice: Dice, maxBytes?: number): Promise<Filled> {
  const failures: string[] = []
  const ballast = `${file}.ballast`
  if (maxBytes === undefined) writeFileSync(ballast, Buffer.alloc(BALLAST * KILOBYTE))
  const log = await openTorturedLog(kind, file, maxBytes)
  let version = 0
  let error: unknown = null
  while (error === null && version < 2_000) {
    await log.definitions.put(textHash(`${version}`), 'd'.repeat(dice(2_000)))
    error = await log.append('s1', version, [writtenEntry(version)]).then(() => null, own)
    if (error === null) version += 1
  }
  const code = WorkspaceError.is(error) ? error.code : String(error)
  if (code !== 'LOG_WRITE_FAILED') failures.push(`filling it ended with ${code}`)
  failures.push(...(await missing(kind, file, version)))
  if (maxBytes === undefined) {
    rmSync(ballast)
    const next = await log.append('s1', version, [writtenEntry(version)]).then(() => null, own)
    if (next === null) version += 1
    else failures.push(`an append with free space ended with ${String(next)}`)
  }
  await log.close()
  failures.push(...(await missing(kind, file, version)))
  return { appends: version, failures }
}

/** Opens the log again and returns the faults in its entries. */
async function missing(kind: DiskLog, file: string, version: number): Promise<readonly string[]> {
  const log = await openTorturedLog(kind, file).catch(own)
  if (!('read' in log)) return [`opening ended with ${String(log)}`]
  const entries = await log.read('s1').catch(own)
  await log.close()
  if (!Array.isArray(entries)) return [`reading it ended with ${String(entries)}`]
  const wanted = Array.from({ length: version }, (_, seq) => writtenEntry(seq))
  return isDeepStrictEqual(entries, wanted) ? [] : [`${entries.length} of ${version} are there`]
}

/** On a read-only disk, all entries are readable, or an error with a code explains why not. */
async function readOnly(kind: DiskLog, file: string, version: number): Promise<readonly string[]> {
  const log = await openTorturedLog(kind, file).catch(own)
  if (!('read' in log))
    return log instanceof WorkspaceError ? [] : [`opening ended with ${String(log)}`]
  const entries = await log.read('s1').catch(own)
  const appended = await log.append('s1', version, [writtenEntry(version)]).catch(own)
  await log.close()
  const failures: string[] = []
  if (!WorkspaceError.is(appended)) failures.push(`an append to it ended with ${String(appended)}`)
  if (Array.isArray(entries) && entries.length !== version) failures.push('entries are gone')
  if (!Array.isArray(entries) && !WorkspaceError.is(entries)) failures.push(String(entries))
  return failures
}

/** Returns an error as a value: the error is what is checked. */
function own(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs a function on a disk in memory of that size; returns false where a disk cannot be mounted.
 */
async function withSmallDisk(
  kilobytes: number,
  work: (folder: string) => Promise<void>,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
  const isMounted = mount(`size=${Math.max(kilobytes, 64)}k`, folder)
  try {
    if (isMounted) await work(folder)
  } finally {
    if (isMounted) spawnSync('umount', [folder])
    rmSync(folder, { recursive: true })
  }
  return isMounted
}

function mount(options: string, folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
}
