import { Option } from 'commander'
import type { SessionSummary } from '../../../../entries/log.ts'
import { type Entry, WorkspaceError } from '../../../../entries/index.ts'
import { CLIENT_NAMES, type ClientName } from '../../../../connections/clients/client-profile.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { logName, openLog, type OpenLog } from '../../opening/open-log.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { sessionsOptions, type SessionsOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { writeTable } from '../../../report/writers/print-report.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** A session in a list; an element of `sessions` in `sessions list --json`. */
export interface ListedSession {
  readonly session: string
  readonly entries: number
  readonly openedAt: string | null
  readonly changedAt: string | null
  /** Null for a session without an agent, or when it cannot be read. */
  readonly agent: string | null
  /** The parent of a child session; null for any other. */
  readonly parent: string | null
  /** The origin of a fork, in the transcript of another agent; absent for any other session. */
  readonly forkedFrom?: string
  /** The last entry. */
  readonly last: Entry | null
  /** The damage, as far as a listing finds it; null for none. */
  readonly damage: string | null
}

/** `loadout sessions list`: list the sessions of a log, the most recently changed first. */
export const sessionsListCommand: CliCommand<SessionsOptions & { readonly of?: ClientName }> = {
  name: 'list',
  summary: 'List the sessions of a log',
  description:
    'List the sessions of a log, the most recently changed first. "loadout sessions" does the same.\n\n' +
    'The default log stores the sessions of the playground and of --session. It is LOADOUT_LOG if that ' +
    'is set, else loadout/sessions.sqlite in the state folder (XDG_STATE_HOME, or ~/.local/state).\n\n' +
    'Child sessions are listed below their parents, and forks in the transcript of another agent below their origins.\n\n' +
    'The list shows damage to the last entry of a session. To find other damage, use "sessions show".\n\n' +
    'With --of, the transcripts that another agent wrote on this machine are listed. They are only read. Give one as ' +
    'a log: loadout sessions show latest --log <file>.',
  arguments: '[log]',
  options: (): readonly Option[] => [
    new Option('--of <client>', 'List the transcripts of another agent on this machine').choices(
      CLIENT_NAMES,
    ),
    ...sessionsOptions(),
  ],
  examples: [
    'loadout sessions list',
    'loadout sessions list run.jsonl --json',
    'loadout sessions list --of claude-code',
  ],
  async run({ words: [word], options, context }) {
    if (word !== undefined && options.log !== undefined) {
      throw wrongUsage('Two logs are given.', 'Leave out one of them.')
    }
    const given = word ?? options.log
    if (options.of !== undefined) {
      if (given !== undefined) {
        throw wrongUsage('A log is given with --of.', 'Leave out one of them.')
      }
      return listTranscripts(options.of, options.json === true, context)
    }
    const open = await openLog(given, { purpose: 'look' }, context)
    if (open === null && given !== undefined) {
      throw wrongUsage(`No log exists at "${given}".`, 'Check the name of the file.')
    }
    const sessions: ListedSession[] = []
    if (open !== null) {
      const summaries = (await open.log.list()).toSorted((a, b) => b.changedAt - a.changedAt)
      for (const summary of summaries) sessions.push(await listSession(open, summary))
    }
    const log = open?.name ?? (await logName(undefined, context))
    if (options.json === true) {
      context.stdout.write(jsonText({ log, sessions }))
      return 0
    }
    if (sessions.length === 0) {
      context.stdout.write(`No sessions in ${log}.\n`)
      return 0
    }
    const { timeText } = await import('../../shell/time-text.ts')
    const { inTreeOrder } = await import('../../opening/session-tree.ts')
    writeTable(
      ['SESSION', 'ENTRIES', 'CHANGED', 'AGENT', 'LAST'],
      await Promise.all(
        inTreeOrder(sessions).map(async ({ row, depth }) => {
          const { session, entries, changedAt, agent, last, damage } = row
          return [
            depth === 0 ? session : `└${'─'.repeat(depth)} ${session}`,
            String(entries),
            timeText(Date.parse(changedAt ?? '')),
            agent ?? '-',
            await lastCell({ last, damage }),
          ]
        }),
      ),
      context,
    )
    return 0
  },
}

async function listTranscripts(
  client: ClientName,
  isJson: boolean,
  context: CliContext,
): Promise<0> {
  const { findTranscripts } =
    await import('../../../../connections/observed/transcripts/find-transcripts.ts')
  const found =
    context.home === null ? [] : await findTranscripts(client, context.home, context.env)
  const { isoTime } = await import('../../../playground/text/iso-time.ts')
  const transcripts = found.map((one) => ({ ...one, changedAt: isoTime(one.changedAt) }))
  if (isJson) context.stdout.write(jsonText({ client, transcripts }))
  else if (found.length === 0) context.stdout.write(`No sessions of ${client} on this machine.\n`)
  else {
    const { timeText } = await import('../../shell/time-text.ts')
    writeTable(
      ['CHANGED', 'PROJECT', 'FILE'],
      found.map(({ changedAt, project, file }) => [timeText(changedAt), project ?? '-', file]),
      context,
    )
  }
  return 0
}

/** Returns the last entry of a session for a table, or its damage. */
export async function lastCell({ last, damage }: Pick<ListedSession, 'last' | 'damage'>) {
  if (damage !== null) return { text: `DAMAGED: ${damage}`, colour: 'red' } as const
  const { describeEntry } = await import('../../../report/facts/timeline-report.ts')
  return last === null ? '' : describeEntry(last)
}

/** Reads the row of a session. */
export async function listSession(
  { log }: OpenLog,
  summary: SessionSummary,
): Promise<ListedSession> {
  const { session, version, openedAt, changedAt, forkedFrom, damage = null } = summary
  const { isoTime } = await import('../../../playground/text/iso-time.ts')
  const row: ListedSession = {
    session,
    entries: version,
    openedAt: isoTime(openedAt),
    changedAt: isoTime(changedAt),
    agent: null,
    parent: null,
    ...(forkedFrom !== undefined && { forkedFrom }),
    last: null,
    damage,
  }
  if (damage !== null) return row
  const { findParent } = await import('../../opening/session-tree.ts')
  try {
    const [first] = await log.read(session, 0, 0)
    const [last = null] = await log.read(session, version - 1, version - 1)
    const agent = first?.event.type === 'session.opened' ? first.event.agent : null
    return { ...row, agent, parent: findParent(session, first), last }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { reason } = error.facts
    const isKnown = error.code === 'LOG_DAMAGED' && typeof reason === 'string'
    return { ...row, damage: isKnown ? reason : error.message }
  }
}
