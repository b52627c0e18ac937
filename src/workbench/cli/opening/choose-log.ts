import {
  type Entry,
  type OpeningNotice,
  WorkspaceError,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import { findSession, LATEST, refuseMissingEntry, sessionUnknown } from './find-session.ts'
import { defaultLog, logName, openLog, type OpenLog } from './open-log.ts'
import { copyInMemory, readStoredSession } from './read-stored-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { OpeningOptions } from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/**
 * The use that a command makes of its session: `look` never writes to a log. `change` continues the given session,
 * or creates it. `keep` does the same, and without a given session creates one in the default log.
 */
export type Purpose = 'look' | 'change' | 'keep'

/** The session that `--log`, `--session`, `--at` and `--agent` select. */
export interface LogChoice {
  /** Given by `--agent`, else the agent of the stored session. */
  readonly agent: string | null
  readonly where: Pick<
    WorkspaceOptions,
    'log' | 'session' | 'project' | 'principal' | 'readOnly' | 'at'
  >
  /** The name of the log of a newly created session; null for any other session. */
  readonly createdIn: string | null
  readonly notices: readonly OpeningNotice[]
  /** The entries of the stored session that is used; null for a new one. */
  readonly stored: readonly Entry[] | null
}

type Options = Pick<OpeningOptions, 'log' | 'session' | 'at' | 'agent' | 'activate'>

type Context = Pick<CliContext, 'cwd' | 'env' | 'home' | 'trustFile' | 'onEnd'>

/**
 * Chooses the session of a command. Without a given session it is in memory, unless the purpose is
 * `keep`. To `look`, a stored session is opened read-only. Where skills are activated first, or the
 * session is changed at an earlier entry, the command works on a copy in memory.
 */
export async function chooseLog(
  options: Options,
  purpose: Purpose,
  context: Context,
): Promise<LogChoice> {
  const { log: given, session: wanted, at, agent = null } = options
  if (given === undefined && wanted === undefined) {
    if (at !== undefined) {
      throw wrongUsage('--at needs a session.', 'Give one: --log run.jsonl, or --session <id>.')
    }
    return purpose === 'keep' ? openNewSession(agent, context) : { ...NOTHING, agent }
  }
  const writes = purpose !== 'look' && at === undefined
  const access = { purpose: writes ? 'write' : 'look', observes: purpose !== 'change' } as const
  const open = await openLog(given, access, context)
  if (open === null) {
    const name = given ?? (await logName(undefined, context))
    throw wrongUsage(
      `No log exists at "${name}".`,
      'Create one: loadout activate <skill> --log <file>.',
    )
  }
  const session = await findSession(open, wanted)
  const use = open.isObserved ? 'look' : purpose
  if (session !== null) return chooseSession(open, session, options, use)
  if (!writes || wanted === LATEST) throw await sessionUnknown(open, wanted)
  const { log, project } = open
  const where = { log, project, ...(wanted !== undefined && { session: wanted }) }
  const message = `Created the session "${wanted}" in ${open.name}, which had none with this id.`
  const notices = wanted === undefined ? [] : [{ code: 'session-begun', message, hint: '' }]
  return { ...NOTHING, agent, where, createdIn: open.name, notices }
}

const NOTHING: Omit<LogChoice, 'agent'> = {
  where: {},
  createdIn: null,
  notices: [],
  stored: null,
}

async function chooseSession(
  open: OpenLog,
  id: string,
  { at, agent, activate }: Options,
  purpose: Purpose,
): Promise<LogChoice> {
  const changes = purpose !== 'look' || activate !== undefined
  const stored = await readStoredSession(open, id, changes ? open.log : open.recorded)
  const last = stored.entries.length - 1
  if (at !== undefined) refuseMissingEntry(at, last, id)
  const opening = stored.entries[0]?.event
  const opened = opening?.type === 'session.opened' ? opening : null
  const principal = opened?.principal ?? null
  const entries = at === undefined ? stored.entries : stored.entries.slice(0, at + 1)
  const { withheldNotices } = await import('./withheld-notices.ts')
  const notices = await withheldNotices(id, entries)
  const choice = { ...NOTHING, agent: agent ?? opened?.agent ?? null, stored: entries, notices }
  const same = {
    session: id,
    ...(principal === null ? {} : { principal: { id: principal } }),
  }
  if (!changes) {
    const moment = at === undefined ? {} : { at }
    return { ...choice, where: { ...same, log: open.recorded, readOnly: true, ...moment } }
  }
  if (purpose !== 'look' && at === undefined) {
    return { ...choice, where: { ...same, log: open.log } }
  }
  const copy = await copyInMemory(stored, at ?? last, open.user)
  return { ...choice, where: { ...same, log: copy.log } }
}

/** Creates a session in the default log. Without one, or if it fails, the session is in memory. */
async function openNewSession(agent: string | null, context: Context): Promise<LogChoice> {
  if (defaultLog(context) === null) return { ...NOTHING, agent }
  const name = await logName(undefined, context)
  try {
    const open = await openLog(undefined, { purpose: 'write', durability: 'os' }, context)
    if (open === null) return { ...NOTHING, agent }
    const { log, project } = open
    return { ...NOTHING, agent, where: { log, project }, createdIn: open.name }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = 'session-not-kept'
    const message = `The session cannot be saved in ${name}: ${error.message}`
    const hint = WorkspaceError.is(error) ? error.hint : ''
    return { ...NOTHING, agent, notices: [{ code, message, hint }] }
  }
}
