import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { WorkspaceOptions } from '../workspace/workspace-options.ts'
import type { CommonOptions } from './common-options.ts'
import { wrongUsage } from './wrong-usage.ts'

/** `look` never writes to a log that was given; `change` continues it, or begins it. */
export type Purpose = 'look' | 'change'

/** What `--log`, `--at` and `--agent` settle. */
export interface LogChoice {
  /** Named by `--agent`, else the one the log was opened for. */
  readonly agent: string | null
  readonly where: Pick<WorkspaceOptions, 'log' | 'session' | 'principal' | 'readOnly' | 'at'>
}

/**
 * Choose the log a command works on. Without `--log` a session lives in memory. A log that is
 * looked at is opened read-only; where skills are activated on top, or a command that changes is
 * tried at an earlier entry, the work is done on a copy in memory and the file stays as it is.
 */
export async function chooseLog(
  options: Pick<CommonOptions, 'log' | 'at' | 'agent' | 'activate'>,
  purpose: Purpose,
  cwd: string,
): Promise<LogChoice> {
  const { log: name, at, agent: named = null } = options
  if (name === undefined) {
    if (at === undefined) return { agent: named, where: {} }
    throw wrongUsage('--at needs a log.', 'Give the log it is an entry of: --log run.jsonl.')
  }
  const file = resolve(cwd, name)
  const mustExist = purpose === 'look' || at !== undefined
  if (mustExist && !(await exists(file))) {
    throw wrongUsage(
      `There is no log at "${name}".`,
      'Begin one: loadout activate <skill> --log <file>.',
    )
  }
  const { openJsonlLog } = await import('../adapters/jsonl/open-jsonl-log.ts')
  const { copyInMemory, keptSession } = await import('./session-log.ts')
  const log = openJsonlLog(file)
  const kept = await keptSession(log)
  if (kept === null) {
    if (!mustExist) return { agent: named, where: { log } }
    throw new WorkspaceError('LOG_EMPTY', `The log "${name}" holds no session.`, {
      hint: 'Begin one: loadout activate <skill> --log <file>.',
    })
  }
  const last = kept.entries.length - 1
  if (at !== undefined) refuseMissingEntry(at, last, name)
  const opening = kept.entries[0]?.event
  const opened = opening?.type === 'session.opened' ? opening : null
  const agent = named ?? opened?.agent ?? null
  const principal = opened?.principal ?? null
  const same = {
    session: kept.session,
    ...(principal === null ? {} : { principal: { id: principal } }),
  }
  const changes = purpose === 'change' || options.activate !== undefined
  if (!changes) {
    const moment = at === undefined ? {} : { at }
    return { agent, where: { ...same, log, readOnly: true, ...moment } }
  }
  if (purpose === 'change' && at === undefined) return { agent, where: { ...same, log } }
  const copy = await copyInMemory(kept, at ?? last)
  return { agent, where: { ...same, log: copy.log } }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}

/** An entry after the last one of a log is a mistake in the command line. */
export function refuseMissingEntry(at: number, last: number, log = ''): void {
  if (at <= last) return
  throw wrongUsage(
    `The log "${log}" has no entry ${at}.`,
    `Its last entry is ${last}: --at ${last}.`,
  )
}
