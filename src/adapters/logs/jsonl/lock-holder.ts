import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { errorCode } from './error-code.ts'

/** Who holds a lock; the id is never used twice. */
export interface LockHolder {
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
export async function newHolder(): Promise<LockHolder> {
  const { pid } = process
  return { id: randomUUID(), pid, host: await thisHost(), since: await beginningOf(pid) }
}

/** A holder as a lock has it; null for what is not ours to understand. */
export function readHolder(text: string): LockHolder | null {
  const { id, pid, host, since = '' } = parsed(text) ?? {}
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null
  return typeof host === 'string' && typeof since === 'string' ? { id, pid, host, since } : null
}

/** Whether it is known to have ended; of another machine that is never known. */
export async function isGone({ pid, host, since }: LockHolder): Promise<boolean> {
  if (host !== (await thisHost())) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
  const found = await beginningOf(pid)
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
async function beginningOf(pid: number): Promise<string> {
  const said = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  return said.slice(said.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
