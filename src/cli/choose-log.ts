import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { WorkspaceOptions } from '../workspace/workspace-options.ts'
import type { CommonOptions } from './common-options.ts'
import { wrongUsage } from './wrong-usage.ts'

/** `look` never writes to a log that was given; `change` continues it, or begins it. */
export type Purpose = 'look' | 'change'

/** The part of the workspace's options that `--log`, `--at` and `--agent` settle. */
export type LogChoice = Pick<
  WorkspaceOptions,
  'log' | 'session' | 'agent' | 'principal' | 'readOnly' | 'at'
>

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
  const { log: name, at } = options
  const named = options.agent === undefined ? {} : { agent: options.agent }
  if (name === undefined) {
    if (at === undefined) return named
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
    if (!mustExist) return { log, ...named }
    throw new WorkspaceError('LOG_EMPTY', `The log "${name}" holds no session.`, {
      hint: 'Begin one: loadout activate <skill> --log <file>.',
    })
  }
  const last = kept.entries.length - 1
  if (at !== undefined && at > last) {
    throw wrongUsage(
      `The log "${name}" has no entry ${at}.`,
      `Its last entry is ${last}: --at ${last}.`,
    )
  }
  const opening = kept.entries[0]?.event
  const opened = opening?.type === 'session.opened' ? opening : null
  const agent = options.agent ?? opened?.agent ?? undefined
  const same = {
    session: kept.session,
    ...(agent === undefined ? {} : { agent }),
    ...(opened?.principal == null ? {} : { principal: { id: opened.principal } }),
  }
  const changes = purpose === 'change' || options.activate !== undefined
  if (!changes) return { ...same, log, readOnly: true, ...(at === undefined ? {} : { at }) }
  if (purpose === 'change' && at === undefined) return { ...same, log }
  return { ...same, log: (await copyInMemory(kept, at ?? last)).log }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}
