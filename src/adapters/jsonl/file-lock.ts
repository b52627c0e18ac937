import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, rm, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { errorCode } from './error-code.ts'

/** Who holds a lock; the id is never used twice. */
interface Holder {
  readonly id: string
  readonly pid: number
  /** Where the process id means something: the machine, and on Linux the container. */
  readonly host: string
}

/** Longest pause between two attempts, in milliseconds. */
const PAUSE_MS = 10

/**
 * Do some work while no other process does work on this file under `<file>.lock`.
 *
 * The lock is a link to a file that is already written, so that nobody ever reads half of it.
 * A lock whose process on this machine is gone is taken away; only the one process that
 * creates the file named after the lock's id may do so, hence a lock of somebody who came in
 * between is never taken away by mistake. A lock of another machine is waited for.
 * Throws `LOG_LOCKED` after `waitMs` milliseconds.
 */
export async function withFileLock<T>(
  file: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`
  await take(lock, waitMs)
  try {
    return await work()
  } finally {
    // The work is done whatever becomes of the lock: one that stays is found by the next taker.
    await rm(lock, { force: true }).catch(() => {})
  }
}

async function take(lock: string, waitMs: number): Promise<void> {
  const id = randomUUID()
  const written = `${lock}.${id}`
  const deadline = performance.now() + waitMs
  try {
    const holder: Holder = { id, pid: process.pid, host: await thisHost() }
    await writeFile(written, JSON.stringify(holder), { flag: 'wx' })
    while (!(await linked(written, lock))) {
      const held = await holderOf(lock)
      if (held && (await isGone(held)) && (await tookAway(lock, held))) continue
      if (performance.now() > deadline) throw locked(lock, held)
      await delay(1 + Math.random() * PAUSE_MS)
    }
  } finally {
    await rm(written, { force: true })
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Null for no lock, and for one that is not ours to understand. */
async function holderOf(lock: string): Promise<Holder | null> {
  try {
    const held = JSON.parse(await readFile(lock, 'utf8')) as Partial<Record<string, unknown>> | null
    const { id, pid, host } = held ?? {}
    if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null
    return typeof host === 'string' ? { id, pid, host } : null
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

async function isGone({ pid, host }: Holder): Promise<boolean> {
  if (host !== (await thisHost())) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}

async function thisHost(): Promise<string> {
  const container = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${hostname()} ${container}`.trim()
}

/** False when another process is at it, or died at it: then the wait for the lock runs out. */
async function tookAway(lock: string, { id }: Holder): Promise<boolean> {
  const right = `${lock}.${id}.gone`
  try {
    await writeFile(right, '', { flag: 'wx' })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    if ((await holderOf(lock))?.id === id) await unlink(lock)
    return true
  } finally {
    await rm(right, { force: true })
  }
}

function locked(lock: string, held: Holder | null): WorkspaceError {
  const who = held ? `process ${held.pid} on ${held.host}` : 'somebody'
  return new WorkspaceError('LOG_LOCKED', `The log is locked by ${who}.`, {
    facts: { lock, pid: held?.pid, host: held?.host },
    hint: `Try again. If nobody is writing, remove ${lock} and what starts with its name.`,
  })
}
