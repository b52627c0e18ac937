import { Option } from 'commander'
import { WorkspaceError } from '../../../../entries/index.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import {
  givenSession,
  logMissing,
  resolveSessionReference,
  type SessionReference,
  sessionUnknown,
} from '../../opening/find-session.ts'
import { defaultLog, logPlace, noLogGiven, openLog } from '../../opening/open-log.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { type StoredSessionOptions, sessionOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import type { LogRepair } from '../../../../connections/logs/log-damage.ts'

/** `loadout sessions repair`: cut damaged sessions after their last valid entry, after a backup. */
export const sessionsRepairCommand: CliCommand<StoredSessionOptions & { readonly dryRun?: true }> =
  {
    name: 'repair',
    summary: 'Repair damaged sessions by removing their damaged entries',
    description:
      'Remove everything after the last valid entry, so that the session can be continued: one session, ' +
      'or all damaged sessions of a log. The command reports how many entries are lost, from which entry ' +
      'on, and why. If nothing is damaged, the exit code is 1.\n\n' +
      'First, the complete file is copied to a new file in the same folder: sessions.sqlite.damaged-1, or ' +
      'the next free number.',
    arguments: '[session]',
    options: () => [
      new Option('--dry-run', 'Report the damage, and change nothing'),
      ...sessionOptions(),
    ],
    examples: ['loadout sessions repair --log run.jsonl --dry-run'],
    async run({ words: [word], options, context }) {
      const { json, dryRun = false } = options
      const reference = await givenSession(word, options, context.cwd)
      const log = reference.log ?? options.log
      const repair = await repairLog(log, reference, dryRun, context)
      const isIntact = repair.damages.length === 0 && repair.definitions === 0
      if (isIntact && !dryRun) {
        throw new WorkspaceError('LOG_NOT_DAMAGED', `Nothing in ${repair.file} is damaged.`, {
          facts: { file: repair.file },
          hint: 'Nothing was changed.',
        })
      }
      if (json === true) context.stdout.write(jsonText({ ...repair, dryRun }))
      else
        for (const line of await repairLines(repair))
          context.stdout.write(`${sanitiseLine(line)}\n`)
      return 0
    },
  }

async function repairLog(
  given: string | undefined,
  reference: SessionReference,
  dryRun: boolean,
  context: CliContext,
): Promise<LogRepair> {
  const name = given ?? defaultLog(context)
  if (name === null) throw noLogGiven()
  const place = await logPlace(name, context.cwd)
  if (place.kind === 'postgres') {
    throw wrongUsage(
      'Sessions in PostgreSQL cannot be repaired.',
      'Restore the database from a backup.',
    )
  }
  const { kind, file, isThere } = place
  if (!isThere) throw await logMissing(given, context)
  if (kind === 'jsonl') {
    const { repairJsonlLog } =
      await import('../../../../connections/logs/jsonl/repair-jsonl-log.ts')
    return repairJsonlLog(file, { dryRun })
  }
  const { repairSqliteLog } =
    await import('../../../../connections/logs/sqlite/repair-sqlite-log.ts')
  const wanted = reference.session
  if (wanted === undefined) return repairSqliteLog(file, { dryRun })
  const open = await openLog(name, { purpose: 'look' }, context)
  const found = open === null ? null : await resolveSessionReference(open, reference)
  const repair = await repairSqliteLog(file, { dryRun, session: found?.session ?? wanted })
  // Entries may exist without the row of their session, which no list contains.
  const isUnknown = found === null && repair.damages.length === 0
  if (isUnknown && open !== null) throw await sessionUnknown(open, wanted)
  return repair
}

async function repairLines({
  file,
  damages,
  definitions,
  copy,
}: LogRepair): Promise<readonly string[]> {
  const { damageText } = await import('../../shell/time-text.ts')
  const dropped =
    definitions === 0
      ? []
      : [
          definitions === 1
            ? '1 definition was changed; sessions that use it show it as unknown.'
            : `${definitions} definitions were changed; sessions that use them show them as unknown.`,
        ]
  const found = [...damages.map(damageText), ...dropped]
  if (found.length === 0) return [`Nothing in ${file} is damaged.`]
  const done =
    copy === null
      ? `Nothing was changed. Without --dry-run, ${file} is copied and then repaired.`
      : `Repaired ${file}. The original is in ${copy}.`
  return [...found, done]
}
