import { InvalidArgumentError, Option } from 'commander'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { SessionUsage } from '../../../report/usage/session-usage.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { printReport } from '../../../report/writers/print-report.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonOption } from '../../shell/opening-options.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import type { FoundLog } from './find-logs.ts'

interface ReportOptions {
  readonly since?: number
  readonly project?: string
  readonly session?: string
  readonly snapshot?: 'html'
  readonly json?: true
}

/** Rows of each table on a terminal, and in a page. */
const MOST = { text: 20, page: 500 } as const

/** `loadout report`: what skills, tools and texts cost over many sessions, and what would cost less. */
export const reportCommand: CliCommand<ReportOptions> = {
  name: 'report',
  summary: 'Report what skills and tools cost over many sessions, and propose changes',
  description:
    'Read many sessions, and report the tokens of each skill, server, tool, memory file and part of the system prompt, how ' +
    'often they were used, and the price of each miss of the cache with its cause. It judges which skills pay, are dead or ' +
    'were missed, and proposes changes that were tried on the recorded sessions.\n\n' +
    'Give folders, logs, transcripts of other agents, or the name of an agent. Without them it reads the transcripts of all ' +
    'agents of the current folder and those below it, and the recordings that were made in it. Sessions are only read. A summary of each file is kept in the state ' +
    'folder, with the beginnings of messages without their secrets, so that an interrupted or a second run goes on from there.',
  arguments: '[paths...]',
  options: () => [
    new Option('--since <date>', 'Only sessions that went on at or after this date').argParser(
      parseDate,
    ),
    new Option('--project <folder>', 'Only sessions in this folder, or below it'),
    new Option('--session <id>', 'Only this session and its subagents'),
    new Option('--snapshot <format>', 'Print the report as a page (html)').choices(['html']),
    jsonOption(),
  ],
  examples: [
    'loadout report',
    'loadout report ~/.claude/projects --since 2026-11-01 --json',
    'loadout report claude-code --project . --snapshot html',
  ],
  async run({ words, options, context }) {
    const { since = 0 } = options
    const folders = await projectFolders(words, options, context)
    const { findLogs } = await import('./find-logs.ts')
    const found = await findLogs(words, folders, context)
    const logs = found.filter(({ changedAt }) => changedAt >= since)
    const { sessions, failures } = await readAll(logs, context)
    for (const { log, error } of failures) {
      const line = error.includes(log) ? error : `${log}: ${error}`
      context.stderr.write(`${sanitiseLine(`not read: ${line}`)}\n`)
    }
    const [{ mergeSessions }, { usageTotals }, { isInside }] = await Promise.all([
      import('../../../report/usage/session-usage.ts'),
      import('../../../report/usage/usage-totals.ts'),
      import('../../../project/walk/is-inside.ts'),
    ])
    const isMeant = ({ until, folder }: SessionUsage) =>
      until >= since &&
      (folders === null || (folder !== null && folders.some((one) => isInside(one, folder))))
    const all = mergeSessions(sessions.filter(isMeant))
    const totals = usageTotals(options.session === undefined ? all : family(all, options.session))
    if (options.json) context.stdout.write(jsonText({ ...totals, failures }))
    else {
      const { usageReport } = await import('../../../report/usage/usage-report.ts')
      if (options.snapshot === undefined) printReport(usageReport(totals, MOST.text), context)
      else {
        const { writeUsagePage } = await import('./write-usage-page.ts')
        context.stdout.write(writeUsagePage(usageReport(totals, MOST.page)))
      }
    }
    return failures.length > 0 && failures.length === logs.length ? 1 : 0
  },
}

/** Returns a session with those that it began, and that these began. */
function family(all: readonly SessionUsage[], id: string): readonly SessionUsage[] {
  const names = new Set([id])
  // A set also yields what is added while it is read.
  for (const name of names) {
    for (const one of all) if (one.parent === name) names.add(one.session)
  }
  const found = all.filter(({ session }) => names.has(session))
  if (found.length > 0) return found
  throw wrongUsage(`No session "${id}" was read.`, 'List them: loadout sessions list --log <file>.')
}

function parseDate(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('Give a date, such as 2026-11-01.')
  return at
}

/** Returns the names of the folder whose sessions are meant; null for all sessions of what is given. */
async function projectFolders(
  words: readonly string[],
  { project }: ReportOptions,
  { cwd }: CliContext,
): Promise<readonly string[] | null> {
  if (project === undefined && words.length > 0) return null
  const folder = resolve(cwd, project ?? '.')
  // A folder that is no longer there may have sessions.
  return [...new Set([folder, await realpath(folder).catch(() => folder)])]
}

async function readAll(logs: readonly FoundLog[], context: CliContext) {
  const [{ readLogs }, { progressLine }] = await Promise.all([
    import('./read-logs.ts'),
    import('../../shell/progress-line.ts'),
  ])
  const line = progressLine(context)
  try {
    return await readLogs(logs, context, (done) => line.show('Reading sessions', done, logs.length))
  } finally {
    line.end()
  }
}
