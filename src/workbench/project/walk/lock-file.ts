import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { errorCode, isObject, shellWord, tryOrUndefined } from '../../../entries/kit.ts'

/** Attempts to lock a file while the locks of others come and go. */
const MAX_ATTEMPTS = 3

/**
 * Locks a file for one writer, whatever name it uses for the file, and returns a function that releases the lock:
 * `<file>.lock` names its host, process and start time. The lock of a process of this host that has ended is taken over.
 *
 * Throws `FILE_LOCKED` at once when there is another writer, and errors of the system as `FILE_WRITE_FAILED`.
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  try {
    const lock = `${await resolveLinks(file)}.lock`
    const { pid } = process
    const writer: FileWriter = {
      id: randomUUID(),
      host: await thisHost(),
      pid,
      startedAt: new Date(performance.timeOrigin).toISOString(),
      startTicks: (await fieldsOf(pid))[19] ?? '',
    }
    for (let attempt = 1; !(await tryLock(lock, writer)); attempt += 1) {
      const holder = await readLock(lock)
      const isFree = holder === undefined || (holder !== null && (await hasEnded(holder)))
      if (!isFree || attempt === MAX_ATTEMPTS) {
        throw await locked(file, lock, holder ?? null)
      }
      if (holder !== undefined) await removeLock(lock, holder)
    }
    // If the lock cannot be removed, the next writer takes it over.
    return () => removeLock(lock, writer).catch(() => {})
  } catch (error) {
    const reason = errorCode(error)
    if (WorkspaceError.is(error) || reason === undefined) throw error
    throw new WorkspaceError('FILE_WRITE_FAILED', `${file} cannot be written: ${reason}.`, {
      facts: { file, reason },
      hint: 'Check the disk, and the permissions of the file and its folder.',
      cause: error,
    })
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

/** The writer of a file. */
interface FileWriter {
  /** Never used twice. */
  readonly id: string
  /** The machine, and on Linux the container, in which the process id is valid. */
  readonly host: string
  readonly pid: number
  /** The start of the process, in ISO form. */
  readonly startedAt: string
  /**
   * The same as the system counts it; empty where that is not known. Process ids are reused: in a
   * container every process may be number 1.
   */
  readonly startTicks: string
}

async function thisHost(): Promise<string> {
  const container = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${hostname()} ${container}`.trim()
}

/**
 * Returns the fields of `/proc/<pid>/stat` from the third on. The second may have any characters in its
 * brackets.
 */
async function fieldsOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Creates a lock, unless there is one. It is a link to a complete file, so that nobody reads half of it. */
async function tryLock(lock: string, writer: FileWriter): Promise<boolean> {
  const written = `${lock}.${writer.id}`
  try {
    await writeFile(written, JSON.stringify(writer), { flag: 'wx' })
    await link(written, lock)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(written, { force: true })
  }
}

/** Returns undefined when there is no lock, and null when it cannot be understood. */
async function readLock(lock: string): Promise<FileWriter | null | undefined> {
  try {
    const text = await readFile(lock, 'utf8')
    const value = tryOrUndefined((): unknown => JSON.parse(text))
    return isWriter(value) ? value : null
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function isWriter(value: unknown): value is FileWriter {
  if (!isObject(value)) return false
  const { id, pid, ...rest } = value
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return false
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return false
  return ['host', 'startedAt', 'startTicks'].every((key) => typeof rest[key] === 'string')
}

/**
 * Removes the lock of one writer. Only the process that creates a file named after the id may do so, so
 * the lock of a process that came in between is never removed.
 */
async function removeLock(lock: string, { id }: FileWriter): Promise<void> {
  const right = `${lock}.${id}.removing`
  try {
    await writeFile(right, '', { flag: 'wx' })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  try {
    if ((await readLock(lock))?.id === id) await rm(lock, { force: true })
  } finally {
    await rm(right, { force: true })
  }
}

/**
 * Returns true when the process is known to have ended. For another host that is never known. A zombie
 * without threads has ended, although its parent may never ask for its exit code.
 */
async function hasEnded({ host, pid, startTicks }: FileWriter): Promise<boolean> {
  if (host !== (await thisHost())) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
  const fields = await fieldsOf(pid)
  const [state, threads, found = ''] = [fields[0], fields[17], fields[19]]
  if (state === 'Z' && Number(threads) <= 1) return true
  return startTicks !== '' && found !== '' && found !== startTicks
}

/** @param holder null when the lock cannot be understood */
async function locked(
  file: string,
  lock: string,
  holder: FileWriter | null,
): Promise<WorkspaceError> {
  const { host, pid, startedAt } = holder ?? {}
  const isHere = host === (await thisHost())
  // A process that was taking over the lock of one that has ended was killed as well.
  const isLeft = holder === null || !isHere || (await hasEnded(holder))
  const command = process.platform === 'win32' ? `del "${lock}"*` : `rm ${shellWord(lock)}*`
  const hint = isLeft
    ? `If no process writes to it any more, remove the lock: ${command}`
    : 'Try again when that process has ended.'
  return new WorkspaceError('FILE_LOCKED', `${file} has ${writerName(holder, isHere)}.`, {
    facts: { file, lock, host, pid, startedAt },
    hint,
  })
}

function writerName(holder: FileWriter | null, isHere: boolean): string {
  if (holder === null) return 'a lock that cannot be read'
  const { pid, host, startedAt } = holder
  if (isHere && pid === process.pid) return 'another writer in this process'
  const where = isHere ? 'on this host' : `on the host "${host.split(' ')[0]}"`
  return `another writer: process ${pid} ${where}, started ${startedAt}`
}
