import { InvalidArgumentError, Option } from 'commander'
import type { PruneReport } from '../../../../entries/log.ts'
import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import { chatsFolder, logName, openLog } from '../../opening/open-log.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { sessionsOptions, type SessionsOptions } from '../../shell/opening-options.ts'

/** `loadout sessions prune`: delete old sessions, and the definitions and messages that none of the others needs. */
export const sessionsPruneCommand: CliCommand<
  SessionsOptions & { readonly olderThan?: number; readonly dryRun?: true }
> = {
  name: 'prune',
  summary: 'Permanently delete old sessions and unused definitions',
  description:
    'Permanently delete the sessions whose last entry is older than --older-than, without confirmation. ' +
    'A session and its children are deleted together, when all of them are. ' +
    'Then delete the definitions (skills, tools, texts) that no remaining session refers to, such as ' +
    'those of sessions that were deleted before, and the messages of conversations whose session is gone. ' +
    'Without --older-than, no session is deleted.\n\n' +
    'Other processes may go on writing to the log. Use --dry-run to see what would be deleted.',
  arguments: '',
  options: () => [
    new Option('--older-than <age>', 'Age of the last entry: 12h, 30d, 8w').argParser(ageInMs),
    new Option('--dry-run', 'Report what would be deleted, and delete nothing'),
    ...sessionsOptions(),
  ],
  examples: ['loadout sessions prune --older-than 30d --dry-run'],
  async run({ options, context }) {
    const { json, olderThan, dryRun = false } = options
    const exists = (await openLog(options.log, { purpose: 'look' }, context)) !== null
    const open = exists ? await openLog(options.log, { purpose: 'write' }, context) : null
    const log = open?.name ?? (await logName(options.log, context))
    const changedBefore = olderThan === undefined ? {} : { changedBefore: Date.now() - olderThan }
    const report = (await open?.log.prune({ ...changedBefore, dryRun })) ?? NOTHING
    const { pruneChats } = await import('../../../playground/chat/chat-store.ts')
    const remaining = async () => {
      const deleted = new Set(dryRun ? report.sessions : [])
      const listed = (await open?.log.list()) ?? []
      return listed.map(({ session }) => session).filter((one) => !deleted.has(one))
    }
    const chats = open?.chats ?? (await chatsFolder(options.log, context))
    const conversations = await pruneChats(chats, remaining, { dryRun })
    const pruned = { ...report, conversations }
    if (json === true) context.stdout.write(jsonText({ log, dryRun, ...pruned }))
    else for (const line of reportLines(pruned, log, dryRun)) context.stdout.write(`${line}\n`)
    return 0
  },
}

const NOTHING: PruneReport = { sessions: [], definitions: 0, bytes: 0 }

function reportLines(
  { sessions, conversations, definitions, bytes }: PruneReport & { readonly conversations: number },
  log: string,
  dryRun: boolean,
): readonly string[] {
  const verb = dryRun ? 'Would delete' : 'Deleted'
  const deleted = `${counted(sessions.length, 'session')}, ${counted(conversations, 'conversation')}`
  const counts = `${deleted} and ${counted(definitions, 'definition')} (${counted(bytes, 'byte')})`
  return [...sessions.map((one) => `${verb} "${one}".`), `${verb} ${counts} of ${log}.`].map(
    sanitiseLine,
  )
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Parses an age such as `30d` into milliseconds. */
function ageInMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text.trim()) ?? []
  const ms = UNITS[unit]
  if (ms === undefined)
    throw new InvalidArgumentError('It must be hours, days or weeks: 12h, 30d, 8w.')
  return Number(count) * ms
}
