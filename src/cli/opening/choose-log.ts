import { findSession, refuseMissingEntry, sessionUnknown } from './find-session.ts'
import { defaultLog, logName, openLog, type OpenLog } from './open-log.ts'
import { copyInMemory, readStoredSession } from './read-stored-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { CommonOptions } from '../shell/common-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OpeningNotice } from '../../workspace/open/opening-notice.ts'
import type { WorkspaceOptions } from '../../workspace/open/workspace-options.ts'

/**
 * `look` never writes to a log; `change` continues the session that is named, or begins it; `keep`
 * does, and where none is named begins one in the log where sessions are kept.
 */
export type Purpose = 'look' | 'change' | 'keep'

/** What `--log`, `--session`, `--at` and `--agent` settle. */
export interface LogChoice {
  /** Named by `--agent`, else the one the session was opened for. */
  readonly agent: string | null
  readonly where: Pick<WorkspaceOptions, 'log' | 'session' | 'principal' | 'readOnly' | 'at'>
  /** Where a session that is begun here is kept, for people; null for any other. */
  readonly begunIn: string | null
  readonly notices: readonly OpeningNotice[]
}

type Options = Pick<CommonOptions, 'log' | 'session' | 'at' | 'agent' | 'activate'>

type Context = Pick<CliContext, 'cwd' | 'env' | 'home' | 'onEnd'>

/**
 * Choose the session a command works on. Where none is named it lives in memory, unless it is to be
 * kept. One that is looked at is opened read-only; where skills are activated on top, or a command
 * that changes is tried at an earlier entry, the work is done on a copy in memory.
 */
export async function chooseLog(
  options: Options,
  purpose: Purpose,
  context: Context,
): Promise<LogChoice> {
  const { log: named, session: wanted, at, agent = null } = options
  if (named === undefined && wanted === undefined) {
    if (at !== undefined) {
      throw wrongUsage(
        '--at needs a log.',
        'Give the session it is an entry of: --log run.jsonl, or --session <id>.',
      )
    }
    return purpose === 'keep' ? openNewSession(agent, context) : { ...NOTHING, agent }
  }
  const writes = purpose !== 'look' && at === undefined
  const open = await openLog(named, { purpose: writes ? 'write' : 'look' }, context)
  if (open === null) throw await noLog(named, context)
  const session = await findSession(open, wanted)
  if (session !== null) return chooseSession(open, session, options, purpose)
  if (!writes) throw await sessionUnknown(open, wanted)
  const where = { log: open.log, ...(wanted !== undefined && { session: wanted }) }
  const notices = wanted === undefined ? [] : [sessionBegunNotice(wanted, open.name)]
  return { agent, where, begunIn: open.name, notices }
}

const NOTHING: Omit<LogChoice, 'agent'> = { where: {}, begunIn: null, notices: [] }

async function chooseSession(
  open: OpenLog,
  id: string,
  { at, agent: named, activate }: Options,
  purpose: Purpose,
): Promise<LogChoice> {
  const kept = await readStoredSession(open, id)
  const last = kept.entries.length - 1
  if (at !== undefined) refuseMissingEntry(at, last, id)
  const opening = kept.entries[0]?.event
  const opened = opening?.type === 'session.opened' ? opening : null
  const principal = opened?.principal ?? null
  const choice = { ...NOTHING, agent: named ?? opened?.agent ?? null }
  const same = {
    session: id,
    ...(principal === null ? {} : { principal: { id: principal } }),
  }
  const changes = purpose !== 'look' || activate !== undefined
  if (!changes) {
    const moment = at === undefined ? {} : { at }
    return { ...choice, where: { ...same, log: open.log, readOnly: true, ...moment } }
  }
  if (purpose !== 'look' && at === undefined) {
    return { ...choice, where: { ...same, log: open.log } }
  }
  const copy = await copyInMemory(kept, at ?? last)
  return { ...choice, where: { ...same, log: copy.log } }
}

/** A screen that is not kept is still worth opening. */
async function openNewSession(agent: string | null, context: Context): Promise<LogChoice> {
  if (defaultLog(context) === null) return { ...NOTHING, agent }
  const name = await logName(undefined, context)
  try {
    const open = await openLog(undefined, { purpose: 'write', durability: 'os' }, context)
    if (open === null) return { ...NOTHING, agent }
    return { agent, where: { log: open.log }, begunIn: open.name, notices: [] }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = 'session-not-kept'
    const message = `The session is not kept in ${name}: ${error.message}`
    const hint = WorkspaceError.is(error) ? error.hint : ''
    return { ...NOTHING, agent, notices: [{ code, message, hint }] }
  }
}

function sessionBegunNotice(session: string, name: string): OpeningNotice {
  return {
    code: 'session-begun',
    message: `There was no session "${session}" in ${name}: it is begun.`,
    hint: '',
  }
}

async function noLog(named: string | undefined, context: Context): Promise<WorkspaceError> {
  return wrongUsage(
    `There is no log at "${named ?? (await logName(undefined, context))}".`,
    'Begin one: loadout activate <skill> --log <file>.',
  )
}
