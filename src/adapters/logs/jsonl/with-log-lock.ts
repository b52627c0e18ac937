import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, realpath, rm, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, writeFailed } from './log-file.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Change a log file while no other process does, whatever name it comes by. The work gets the file's
 * name without links in it: what belongs to a log stands beside that. Throws `LOG_LOCKED`, and what
 * the system says as `LOG_WRITE_FAILED`.
 */
export async function withLogLock<T>(
  file: string,
  waitMs: number,
  work: (real: string) => Promise<T>,
): Promise<T> {
  try {
    const real = await resolveLinks(file)
    return await withFileLock(real, waitMs, () => work(real))
  } catch (error) {
    if (WorkspaceError.is(error)) throw error
    throw writeFailed(file, error)
  }
}

/** A link may lead to a file that is not there yet. */
async function resolveLinks(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  const folder = await realpath(dirname(file))
  const target = await readlink(file).catch(() => null)
  return target === null ? join(folder, basename(file)) : resolveLinks(resolve(folder, target))
}

/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 10

/**
 * Do some work while no other process does work on this file under `<file>.lock`.
 *
 * The lock is a link to a file that is already written, so that nobody ever reads half of it.
 * A lock whose process on this machine is gone is taken away; only the one process that
 * creates the file named after the lock's id may do so, hence a lock of somebody who came in
 * between is never taken away by mistake. A lock of another machine is waited for.
 * Throws `LOG_LOCKED` after `waitMs` milliseconds.
 */
async function withFileLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  await acquire(lock, waitMs)
  try {
    return await work()
  } finally {
    // The work is done whatever becomes of the lock: one that stays is found by the next taker.
    await rm(lock, { force: true }).catch(() => {})
  }
}

async function acquire(lock: string, waitMs: number): Promise<void> {
  const holder = await newHolder()
  const written = `${lock}.${holder.id}`
  const deadline = performance.now() + waitMs
  try {
    await writeFile(written, JSON.stringify(holder), { flag: 'wx' })
    while (!(await tryLink(written, lock))) {
      const held = await readLock(lock)
      if (held && (await isGone(held)) && (await removeStaleLock(lock, held))) continue
      if (performance.now() > deadline) throw locked(lock, held)
      await delay(1 + Math.random() * MAX_PAUSE_MS)
    }
  } finally {
    await rm(written, { force: true })
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Null for no lock, too. */
async function readLock(lock: string): Promise<LockHolder | null> {
  try {
    return readHolder(await readFile(lock, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** False when another process is at it, or died at it: then the wait for the lock runs out. */
async function removeStaleLock(lock: string, { id }: LockHolder): Promise<boolean> {
  const right = `${lock}.${id}.gone`
  try {
    await writeFile(right, '', { flag: 'wx' })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    if ((await readLock(lock))?.id === id) await unlink(lock)
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

/** Who holds a lock; the id is never used twice. */
interface LockHolder {
  readonly id: string
  readonly pid: number
  /** Where the process id means something: the machine, and on Linux the container. */
  readonly host: string
  /**
   * When the process began, as the system counts; empty where it does not tell. Numbers of processes are
   * given again: that of a container is often 1, whoever it is.
   */
  readonly since: string
}

/** This process, for one lock. */
async function newHolder(): Promise<LockHolder> {
  const { pid } = process
  return { id: randomUUID(), pid, host: await thisHost(), since: await processStart(pid) }
}

/** A holder as a lock has it; null for what is not ours to understand. */
function readHolder(text: string): LockHolder | null {
  const { id, pid, host, since = '' } = parsed(text) ?? {}
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null
  return typeof host === 'string' && typeof since === 'string' ? { id, pid, host, since } : null
}

/** Whether it is known to have ended; of another machine that is never known. */
async function isGone({ pid, host, since }: LockHolder): Promise<boolean> {
  if (host !== (await thisHost())) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
  const found = await processStart(pid)
  return since !== '' && found !== '' && found !== since
}

function parsed(text: string): Partial<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Partial<Record<string, unknown>> | null
  } catch {
    return null
  }
}

async function thisHost(): Promise<string> {
  const container = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${hostname()} ${container}`.trim()
}

/** The 22nd field of what Linux says of a process; the second may have any characters in its brackets. */
async function processStart(pid: number): Promise<string> {
  const said = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  return said.slice(said.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
