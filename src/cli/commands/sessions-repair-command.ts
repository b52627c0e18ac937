import { Option } from 'commander'
import {
  resolveSessionReference,
  sessionReference,
  type SessionReference,
  sessionUnknown,
} from '../opening/find-session.ts'
import { defaultLog, logName, logPlace, openLog } from '../opening/open-log.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type SessionsOptions, sessionsOptions } from '../shell/common-options.ts'
import { damageText } from '../shell/describe-entry.ts'
import { jsonText } from '../shell/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { LogRepair } from '../../workspace/log/log-damage.ts'

interface RepairOptions extends SessionsOptions {
  readonly dryRun?: true
}

/** `loadout sessions repair`: cut damaged sessions after their last whole entry, behind a copy. */
export const sessionsRepairCommand: CliCommand<RepairOptions> = {
  name: 'repair',
  summary: 'cut damaged sessions after their last whole entry, and keep a copy',
  description:
    'Cut what is damaged after the last whole entry, so that the session can go on there: one session, ' +
    'or all of a log. First a copy of the whole file is made beside it (sessions.sqlite.damaged-1, or ' +
    'the next number that is free), which nothing overwrites. What is lost is told: how many entries, ' +
    'from which on, and why. Refused, with exit code 1, where nothing is damaged. With --dry-run it is ' +
    'only told.',
  arguments: '[session]',
  options: () => [
    new Option('--dry-run', 'tell what would be done, and do nothing'),
    ...sessionsOptions(),
  ],
  examples: ['loadout sessions repair --log run.jsonl --dry-run'],
  async run({ words: [word], options, context }) {
    const { json, dryRun = false } = options
    const reference = word === undefined ? {} : await sessionReference(word, context.cwd)
    const named = reference.log ?? options.log
    const repair = await repaired(named, reference, dryRun, context)
    const isWhole = repair.damages.length === 0 && repair.definitions === 0
    if (isWhole && !dryRun) {
      throw new WorkspaceError('LOG_NOT_DAMAGED', `Nothing in ${repair.file} is damaged.`, {
        facts: { file: repair.file },
        hint: 'Nothing was changed.',
      })
    }
    if (json === true) context.stdout.write(jsonText({ ...repair, dryRun }))
    else for (const line of linesOf(repair)) context.stdout.write(`${sanitiseLine(line)}\n`)
    return 0
  },
}

async function repaired(
  named: string | undefined,
  reference: SessionReference,
  dryRun: boolean,
  context: CliContext,
): Promise<LogRepair> {
  const name = named ?? defaultLog(context)
  if (name === null) throw wrongUsage('No log is named.', 'Name one: --log sessions.sqlite.')
  const place = await logPlace(name, context.cwd)
  if (place.kind === 'postgres') {
    throw wrongUsage(
      'The sessions of a server are not repaired from here.',
      'Restore the database from a backup, as its manual says.',
    )
  }
  const { kind, file, isThere } = place
  if (!isThere) {
    const shown = named ?? (await logName(undefined, context))
    throw wrongUsage(`There is no log at "${shown}".`, 'Name the one that is meant: --log <file>.')
  }
  if (kind === 'jsonl') {
    const { repairJsonlLog } = await import('../../adapters/logs/jsonl/repair-jsonl-log.ts')
    return repairJsonlLog(file, { dryRun })
  }
  const { repairSqliteLog } = await import('../../adapters/logs/sqlite/repair-sqlite-log.ts')
  const wanted = reference.session
  if (wanted === undefined) return repairSqliteLog(file, { dryRun })
  const open = await openLog(name, { purpose: 'look' }, context)
  const found = open === null ? null : await resolveSessionReference(open, reference)
  const repair = await repairSqliteLog(file, { dryRun, session: found?.session ?? wanted })
  // Entries whose row is gone are a session that no list has.
  const isUnknown = found === null && repair.damages.length === 0
  if (isUnknown && open !== null) throw await sessionUnknown(open, wanted)
  return repair
}

function linesOf({ file, damages, definitions, copy }: LogRepair): readonly string[] {
  const dropped =
    definitions === 0
      ? []
      : [
          `${definitions === 1 ? '1 definition is' : `${definitions} definitions are`} not what was written; sessions that name it show it as unknown.`,
        ]
  const found = [...damages.map(damageText), ...dropped]
  if (found.length === 0) return [`Nothing in ${file} is damaged.`]
  const done =
    copy === null
      ? `Nothing was changed. Without --dry-run ${file} is copied, and then cut there.`
      : `${file} is cut there. As it was it is in ${copy}.`
  return [...found, done]
}
