import { resolve } from 'node:path'
import { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { jsonText } from '../json-text.ts'
import { openLog } from '../open-log.ts'
import { reportNotices } from '../report-notices.ts'
import { wrongUsage } from '../wrong-usage.ts'
import { sessionsOptions, type SessionsOptions } from './sessions-options.ts'

interface ImportOptions extends SessionsOptions {
  readonly as?: string
}

/** `loadout sessions import`: bring an exported session into a log. */
export const importSession: CliCommand<ImportOptions> = {
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
    const text = word === '-' ? await context.readInput() : await textOf(word, context)
    const { importLog } = await import('../../adapters/jsonl/import-log.ts')
    const { session: own, entries, definitions, notices } = named(word, () => importLog(text))
    if (own === null || entries.length === 0) {
      throw new WorkspaceError('LOG_EMPTY', `"${word}" holds no session.`, {
        facts: { file: word },
        hint: 'Give what "loadout sessions export" wrote.',
      })
    }
    if (options.json !== true) reportNotices(notices, context)
    const session = options.as ?? own
    const open = await openLog(options.log, { purpose: 'write' }, context)
    if (open === null) throw wrongUsage('No log is named.', 'Name one: --log sessions.sqlite.')
    for (const [hash, value] of definitions) await open.log.definitions.put(hash, value)
    await open.log.append(session, 0, entries).catch((error: unknown) => {
      throw isTaken(error) ? taken(session, open.name) : error
    })
    const report = { session, log: open.name, entries: entries.length }
    if (options.json === true) context.stdout.write(jsonText(report))
    else {
      const line = `Session "${session}" is in ${open.name}: entries 0 to ${entries.length - 1}.`
      context.stdout.write(`${sanitiseLine(line)}\n`)
    }
    return 0
  },
}

/** What is wrong with a text is said of the file it comes from. */
function named<T>(word: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { code, message, hint, facts } = error
    const said = message.replace('the log', `"${word}"`)
    throw new WorkspaceError(code, said, { hint, facts, cause: error })
  }
}

/** A pipe or a device is not waited for. */
async function textOf(word: string, { cwd }: Pick<CliContext, 'cwd'>): Promise<string> {
  const { readLogFile } = await import('../../adapters/jsonl/log-file.ts')
  const read = await readLogFile(resolve(cwd, word), () => 0)
  if (read === null) throw wrongUsage(`There is no file at "${word}".`, 'Check its name.')
  return Buffer.from(read.bytes).toString('utf8')
}

function isTaken(error: unknown): boolean {
  return WorkspaceError.is(error) && error.code === 'LOG_CONFLICT'
}

function taken(session: string, log: string): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `${log} has a session "${session}" already.`, {
    facts: { session, log },
    hint: 'Give the other one an id of its own: --as <id>.',
  })
}
