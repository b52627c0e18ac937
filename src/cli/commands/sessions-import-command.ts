import { resolve } from 'node:path'
import { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../shell/json-text.ts'
import { openLog } from '../opening/open-log.ts'
import { reportNotices } from '../shell/report-diagnostics.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { sessionsOptions, type SessionsOptions } from '../shell/common-options.ts'

interface ImportOptions extends SessionsOptions {
  readonly as?: string
}

/** `loadout sessions import`: bring an exported session into a log. */
export const sessionsImportCommand: CliCommand<ImportOptions> = {
  name: 'import',
  summary: 'bring a session of a JSON Lines file into a log',
  description:
    'Bring the session of a JSON Lines file, with its definitions, into the log of --log, or into the ' +
    'one where sessions are kept. It keeps its id, or gets the one of --as; a session of that id must ' +
    'not be there. "-" reads standard input.',
  arguments: '<file>',
  options: () => [new Option('--as <id>', 'the id it gets'), ...sessionsOptions()],
  examples: ['loadout sessions import session.jsonl --log sessions.sqlite'],
  async run({ words: [word = ''], options, context }) {
    const text = word === '-' ? context.stdin : await piecesOf(word, context)
    const open = await openLog(options.log, { purpose: 'write' }, context)
    if (open === null) throw wrongUsage('No log is named.', 'Name one: --log sessions.sqlite.')
    const { importSession } = await import('../../adapters/logs/jsonl/import-session.ts')
    const { as } = options
    const { session, version, notices } = await named(word, () =>
      importSession(open.log, text, as === undefined ? {} : { as }),
    )
    if (options.json !== true) reportNotices(notices, context)
    const report = { session, log: open.name, entries: version }
    if (options.json === true) context.stdout.write(jsonText(report))
    else {
      const line = `Session "${session}" is in ${open.name}: entries 0 to ${version - 1}.`
      context.stdout.write(`${sanitiseLine(line)}\n`)
    }
    return 0
  },
}

/** What is wrong with a text is said of the file it comes from. */
async function named<T>(word: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { code, message, hint, facts } = error
    const said = message.replace('the log', `"${word}"`)
    throw new WorkspaceError(code, said, { hint, facts, cause: error })
  }
}

/** A file piece by piece; it is closed when the command is over. A pipe or a device is not waited for. */
async function piecesOf(
  word: string,
  { cwd, onEnd }: Pick<CliContext, 'cwd' | 'onEnd'>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { openLogFile } = await import('../../adapters/logs/jsonl/log-file.ts')
  const handle = await openLogFile(resolve(cwd, word))
  if (handle === null) throw wrongUsage(`There is no file at "${word}".`, 'Check its name.')
  onEnd(() => handle.close())
  return handle.createReadStream({ autoClose: false })
}
