import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { jsonText } from '../json-text.ts'
import { wrongUsage } from '../wrong-usage.ts'
import { sessionAt } from './session-at.ts'
import { sessionsOptions, type SessionsOptions } from './sessions-options.ts'

interface ExportOptions extends SessionsOptions {
  readonly out?: string
}

/** `loadout sessions export`: a session as JSON Lines, the form in which it travels. */
export const exportSession: CliCommand<ExportOptions> = {
  name: 'export',
  summary: 'write a session, with its definitions, as JSON Lines',
  description:
    'Write a session with the definitions it used as JSON Lines, which is a log that every command ' +
    'takes, and that "sessions import" brings into any other. Into the file of --out, which must not ' +
    'be there, else to standard output. With --json a report, which has the text where there is no ' +
    '--out.',
  arguments: '<session>',
  options: () => [
    new Option('--out <file>', 'write into this file, which must not be there'),
    ...sessionsOptions(),
  ],
  examples: ['loadout sessions export latest --out session.jsonl'],
  async run({ words: [word = ''], options, context }) {
    const { out, json } = options
    const { stdout, cwd, isTerminal } = context
    if (out === undefined && json !== true && isTerminal) {
      throw wrongUsage(
        'A session is not written to a terminal: it may hold what steers one.',
        'Write it into a file, --out session.jsonl, or into a pipe.',
      )
    }
    const { open, session } = await sessionAt(word, options, 'look', context)
    const { exportLog } = await import('../../adapters/jsonl/export-log.ts')
    const text = await exportLog(open.log, session)
    if (out !== undefined) await writeNew(resolve(cwd, out), text, out)
    const report = { session, log: open.name, bytes: Buffer.byteLength(text), out: out ?? null }
    if (json === true) stdout.write(jsonText(out === undefined ? { ...report, text } : report))
    else if (out === undefined) stdout.write(text)
    else say(`Session "${session}" is in ${out}.`, context)
    return 0
  },
}

async function writeNew(file: string, text: string, named: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw error
    throw wrongUsage(`"${named}" is there already.`, 'Nothing is overwritten: name another file.')
  }
}

function say(line: string, { stdout }: Pick<CliContext, 'stdout'>): void {
  stdout.write(`${sanitiseLine(line)}\n`)
}
