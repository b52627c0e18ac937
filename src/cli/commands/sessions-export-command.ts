import { open as openFile, rm, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../shell/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { openSessionAt } from '../opening/find-session.ts'
import { sessionsOptions, type SessionsOptions } from '../shell/common-options.ts'

interface ExportOptions extends SessionsOptions {
  readonly out?: string
}

/** `loadout sessions export`: a session as JSON Lines, the form in which it travels. */
export const sessionsExportCommand: CliCommand<ExportOptions> = {
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
    const { open, session } = await openSessionAt(word, options, 'look', context)
    const { exportLines } = await import('../../adapters/logs/jsonl/export-lines.ts')
    const lines = exportLines(open.log, session)
    if (out === undefined && json !== true) {
      for await (const line of lines) stdout.write(line)
      return 0
    }
    const report = { session, log: open.name, out: out ?? null }
    if (out === undefined) {
      let text = ''
      for await (const line of lines) text += line
      stdout.write(jsonText({ ...report, bytes: Buffer.byteLength(text), text }))
      return 0
    }
    const bytes = await writeNew(resolve(cwd, out), lines, out)
    if (json === true) stdout.write(jsonText({ ...report, bytes }))
    else say(`Session "${session}" is in ${out}.`, context)
    return 0
  },
}

/** Gives the bytes it wrote; a file that could not be written whole is taken away again. */
async function writeNew(
  file: string,
  lines: AsyncIterable<string>,
  named: string,
): Promise<number> {
  const handle = await created(file, named)
  try {
    let bytes = 0
    for await (const line of lines) {
      await handle.appendFile(line)
      bytes += Buffer.byteLength(line)
    }
    await handle.close()
    return bytes
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
}

async function created(file: string, named: string): Promise<FileHandle> {
  try {
    return await openFile(file, 'wx')
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw error
    throw wrongUsage(`"${named}" is there already.`, 'Nothing is overwritten: name another file.')
  }
}

function say(line: string, { stdout }: Pick<CliContext, 'stdout'>): void {
  stdout.write(`${sanitiseLine(line)}\n`)
}
