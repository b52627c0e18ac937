import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../../entries/kit.ts'
import { replacePrivateFile } from '../../../project/walk/replace-file.ts'
import type { SessionUsage } from '../../../report/usage/session-usage.ts'
import type { FoundLog } from './find-logs.ts'

/** Characters of the summaries of a log. Those of usual ones are a hundredth of it. */
const MOST_KEPT = 20_000_000

/** The version of summaries: those of another one are made again. */
const FORMAT = 1

/**
 * Returns the summaries that were kept of a log; null when it has changed since, or nothing was kept.
 *
 * @param state the folder for what programs keep of a user; null when there is none
 */
export async function keptUsage(
  state: string | null,
  found: FoundLog,
): Promise<readonly SessionUsage[] | null> {
  const key = state === null ? null : await logKey(found)
  if (state === null || key === null) return null
  try {
    const kept: unknown = JSON.parse(await readFile(fileFor(state, found), 'utf8'))
    const isSame = isObject(kept) && kept['key'] === key && Array.isArray(kept['sessions'])
    return isSame ? (kept['sessions'] as readonly SessionUsage[]) : null
  } catch {
    return null
  }
}

/** Keeps the summaries of a log, in a file that only the user can read. */
export async function keepUsage(
  state: string | null,
  found: FoundLog,
  sessions: readonly SessionUsage[],
): Promise<void> {
  const key = state === null ? null : await logKey(found)
  if (state === null || key === null) return
  const text = JSON.stringify({ key, sessions })
  if (text.length <= MOST_KEPT) await replacePrivateFile(fileFor(state, found), text)
}

function fileFor(state: string, { log }: FoundLog): string {
  const name = createHash('sha256').update(log).digest('hex').slice(0, 32)
  return join(state, 'usage', `${name}.json`)
}

/** Returns what changes when a log changes; null for one that is no file. Its size is that with which it was found. */
async function logKey({ log, changedAt, bytes }: FoundLog): Promise<string | null> {
  if (changedAt === Infinity) return null
  // The last entries of a database may be next to it.
  const wal = await stat(`${log}-wal`).catch(() => null)
  const parts = [FORMAT, bytes, changedAt, wal?.size ?? 0, wal?.mtimeMs ?? 0]
  return parts.join(' ')
}
