import { link, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { errorCode } from './error-code.ts'
import { isGone, type LockHolder, newHolder, readHolder } from './lock-holder.ts'

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
  const holder = await newHolder()
  const written = `${lock}.${holder.id}`
  const deadline = performance.now() + waitMs
  try {
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

/** Null for no lock, too. */
async function holderOf(lock: string): Promise<LockHolder | null> {
  try {
    return readHolder(await readFile(lock, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** False when another process is at it, or died at it: then the wait for the lock runs out. */
async function tookAway(lock: string, { id }: LockHolder): Promise<boolean> {
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

function locked(lock: string, held: LockHolder | null): WorkspaceError {
  const who = held ? `process ${held.pid} on ${held.host}` : 'somebody'
  return new WorkspaceError('LOG_LOCKED', `The log is locked by ${who}.`, {
    facts: { lock, pid: held?.pid, host: held?.host },
    hint: `Try again. If nobody is writing, remove ${lock} and what starts with its name.`,
  })
}
