import { open as openFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { errorCode, sanitiseLine } from '../../../../entries/kit.ts'
import { secretsFromEnvironment } from '../../../project/config/environment-variables.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import { openSessionAt, refuseMissingEntry } from '../../opening/find-session.ts'
import { atOption, sessionOptions, type StoredSessionOptions } from '../../shell/opening-options.ts'

/** `loadout sessions export`: write a session as JSON Lines, to import it elsewhere. */
export const sessionsExportCommand: CliCommand<StoredSessionOptions & { readonly out?: string }> = {
  name: 'export',
  summary: 'Write a session and its definitions as JSON Lines',
  description:
    'Write a session and the definitions it used, all of it or up to the entry given by "@12" or --at 12, as JSON Lines, to standard output or into the file of ' +
    '--out. Commands that do not write accept the file as a log, and "sessions import" copies it into another ' +
    'one.\n\n' +
    'With --json, a report is printed; it includes the text if there is no --out.',
  arguments: '[session]',
  options: () => [
    atOption(),
    new Option('--out <file>', 'Write to this file, which must not exist'),
    ...sessionOptions(),
  ],
  examples: ['loadout sessions export latest --out session.jsonl'],
  async run({ words: [word], options, context }) {
    const { out, json } = options
    const { stdout, cwd, isTerminal } = context
    if (out === undefined && json !== true && isTerminal) {
      throw wrongUsage(
        'A session cannot be written to a terminal, because it may contain control characters.',
        'Write it to a file with --out session.jsonl, or to a pipe.',
      )
    }
    const { open, session, at } = await openSessionAt(word, options, 'look', context)
    if (at !== null) {
      const listed = (await open.log.list()).find((one) => one.session === session)
      refuseMissingEntry(at, (listed?.version ?? 0) - 1, session)
    }
    const { exportLines } = await import('../../../../connections/logs/jsonl/export-lines.ts')
    // Somebody else may have written the log.
    const secrets = secretsFromEnvironment(context.env)
    const lines = exportLines(open.log, session, {
      ...(secrets.length > 0 && { redact: { secrets, keys: [], prefixes: [] } }),
      ...(at !== null && { at }),
    })
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
    else stdout.write(`${sanitiseLine(`Exported session "${session}" to ${out}.`)}\n`)
    return 0
  },
}

/** Writes a new file and returns its size in bytes. Removes it if writing fails. */
async function writeNew(
  file: string,
  lines: AsyncIterable<string>,
  typed: string,
): Promise<number> {
  const handle = await openFile(file, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
    throw wrongUsage(`"${typed}" already exists.`, 'Choose another file; it is not overwritten.')
  })
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
