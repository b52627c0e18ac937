import { resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../../entries/index.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { noLogGiven, openLog } from '../../opening/open-log.ts'
import { reportNotices } from '../../shell/report-diagnostics.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import { sessionsOptions, type SessionsOptions } from '../../shell/opening-options.ts'

/** `loadout sessions import`: copy an exported session into a log. */
export const sessionsImportCommand: CliCommand<
  SessionsOptions & { readonly as?: string; readonly keepConsent?: true }
> = {
  name: 'import',
  summary: 'Copy a session from a JSON Lines file into a log',
  description:
    'Copy the session of a JSON Lines file, with its definitions, into the default log or the log of ' +
    '--log. The session keeps its id unless --as gives another one. The log must not contain a session ' +
    'with this id. The file "-" is standard input.\n\n' +
    'Approvals, confirmations, waiting intents and rules that allow calls are dropped, and listed: the file ' +
    'may come from anybody. Use --keep-consent only for a backup of your own.',
  arguments: '<file>',
  options: () => [
    new Option('--as <id>', 'Id of the imported session'),
    new Option('--keep-consent', 'Keep approvals and rules that allow calls: your own backup'),
    ...sessionsOptions(),
  ],
  examples: ['loadout sessions import session.jsonl --log sessions.sqlite'],
  async run({ words: [word = ''], options, context }) {
    const text = word === '-' ? context.stdin : await readChunks(word, context)
    const open = await openLog(options.log, { purpose: 'write' }, context)
    if (open === null) throw noLogGiven()
    const { copySession } = await import('../../../../connections/logs/jsonl/import-session.ts')
    const target = options.as === undefined ? {} : { as: options.as }
    const { session, version, notices, dropped } = await withFileName(word, () =>
      copySession(open.log, text, target, options.keepConsent === true),
    )
    if (options.json !== true) reportNotices(notices, false, context)
    const report = { session, log: open.name, entries: version, dropped }
    if (options.json === true) context.stdout.write(jsonText(report))
    else {
      const line = `Imported session "${session}" into ${open.name}: entries 0 to ${version - 1}.`
      context.stdout.write(`${sanitiseLine(line)}\n`)
      if (dropped === null) return 0
      const { describeEvent } = await import('../../../../entries/kit.ts')
      context.stdout.write(`${sanitiseLine(`It was ${describeEvent(dropped)}.`)}\n`)
    }
    return 0
  },
}

/** Names the file in errors about its text. */
async function withFileName<T>(word: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { code, message, hint, facts } = error
    const named = message.replace('the log', `"${word}"`)
    throw new WorkspaceError(code, named, { hint, facts, cause: error })
  }
}

/** Reads a file in chunks; it is closed when the command ends. Does not wait for a pipe or a device. */
async function readChunks(
  word: string,
  { cwd, onEnd }: Pick<CliContext, 'cwd' | 'onEnd'>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { openLogFile } = await import('../../../../connections/logs/jsonl/open-log-file.ts')
  const handle = await openLogFile(resolve(cwd, word))
  if (handle === null) throw wrongUsage(`"${word}" does not exist.`, 'Check the name of the file.')
  onEnd(() => handle.close())
  return handle.createReadStream({ autoClose: false })
}
