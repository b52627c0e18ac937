import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, realpath, rm, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, writeFailed } from './log-file.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Runs work on a log file while no other process changes it, whatever name they use for it.
 *
 * The work gets the name of the file without symbolic links: the files that belong to a log are
 * next to that one. Throws `LOG_LOCKED`, and errors of the system as `LOG_WRITE_FAILED`.
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

/** Resolves links; one may lead to a file that does not exist yet. */
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
 * Runs work under `<file>.lock`, which only one process has at a time.
 *
 * The lock is a hard link to a complete file, so nobody ever reads half of it. The lock of a dead
 * process on this machine is removed. Only the one process that creates a file named after the
 * lock's id may remove it, so the lock of a process that came in between is never removed by
 * mistake. A lock of another machine is waited for. Throws `LOG_LOCKED` after `waitMs`
 * milliseconds.
 */
async function withFileLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  await acquire(lock, waitMs)
  try {
    return await work()
  } finally {
    // If removing the lock fails, the work is still done. The next process removes the lock.
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

/** Returns null when there is no lock, or it cannot be understood. */
async function readLock(lock: string): Promise<LockHolder | null> {
  try {
    return readHolder(await readFile(lock, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Removes the lock of a dead process. Returns false when another process is removing it, or died
 * doing so; then waiting for the lock times out.
 */
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
  const who = held ? `process ${held.pid} on ${held.host}` : 'another process'
  return new WorkspaceError('LOG_LOCKED', `The log is locked by ${who}.`, {
    facts: { lock, pid: held?.pid, host: held?.host },
    hint: `Try again. If no process is writing, remove ${lock} and every file whose name starts with that.`,
  })
}

/** The process that has a lock. An id is never used twice. */
interface LockHolder {
  readonly id: string
  readonly pid: number
  /** The machine, and on Linux the container, in which the process id is valid. */
  readonly host: string
  /**
   * The start time of the process, as the system counts; empty where it is not known. Process ids
   * are reused: in a container every process may be number 1.
   */
  readonly since: string
}

/** Describes this process for one lock. */
async function newHolder(): Promise<LockHolder> {
  const { pid } = process
  return { id: randomUUID(), pid, host: await thisHost(), since: await processStart(pid) }
}

/** Parses the content of a lock; returns null when it cannot be understood. */
function readHolder(text: string): LockHolder | null {
  const { id, pid, host, since = '' } = parsed(text) ?? {}
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null
  return typeof host === 'string' && typeof since === 'string' ? { id, pid, host, since } : null
}

/**
 * Returns true when the process is known to have ended. For another machine that is never known.
 */
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

/**
 * Returns the 22nd field of `/proc/<pid>/stat`. The second field may have any characters in its
 * brackets.
 */
async function processStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
