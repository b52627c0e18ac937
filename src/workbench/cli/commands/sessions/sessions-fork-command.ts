import { Option } from 'commander'
import { sanitiseLine, shellWord } from '../../../../entries/kit.ts'
import { openSessionAt } from '../../opening/find-session.ts'
import { observedOnly, openLog } from '../../opening/open-log.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { atOption, type StoredSessionOptions, sessionOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** `loadout sessions fork`: create a session from the first entries of another. */
export const sessionsForkCommand: CliCommand<
  StoredSessionOptions & { readonly as?: string; readonly into?: string }
> = {
  name: 'fork',
  summary: 'Create a session from the first entries of another',
  description:
    'Create a session from the entries of another, all of them or up to the one given by "@12" or ' +
    '--at 12. Use it to go back to an earlier state: the original session is not changed. Running calls ' +
    'and open confirmations are not copied.\n\n' +
    'The new session is stored in the log of the original one. A JSON Lines file is not written to, so ' +
    'its forks are stored in the default log, or in the log given by --into.',
  arguments: '[session]',
  options: () => [
    atOption(),
    new Option('--as <id>', 'Id of the new session (default: a random id)'),
    new Option('--into <log>', 'Log for the new session (default: the log of the original)'),
    ...sessionOptions(),
  ],
  examples: ['loadout sessions fork latest@2 --as second-try'],
  async run({ words: [word], options, context }) {
    const { as, into } = options
    const isElsewhere =
      into !== undefined ||
      (await openSessionAt(word, options, 'look', context)).open.kind === 'jsonl'
    const { open, session, at } = await openSessionAt(
      word,
      options,
      isElsewhere ? 'look' : 'write',
      context,
    )
    if (open.isObserved) throw observedOnly(open.name)
    const target = isElsewhere ? await openLog(into, { purpose: 'write' }, context) : open
    if (target === null) throw wrongUsage('No log is given.', 'Give one: --into sessions.sqlite.')
    const { forkSession } = await import('../../../../entries/index.ts')
    const forked = await forkSession(open.log, {
      from: session,
      ...(at !== null && { at }),
      ...(as !== undefined && { to: as }),
      ...(target !== open && { into: target.log }),
    })
    const report = { session: forked.session, from: forked.from, log: target.name }
    if (options.json === true) context.stdout.write(jsonText(report))
    else {
      const id = sanitiseLine(shellWord(forked.session))
      const line = `Forked entries 0 to ${forked.from.seq} of "${session}" into a new session in ${target.name}.`
      const where = into === undefined ? options.log : into
      // A URL may contain a password.
      const isFile = where !== undefined && target.kind !== 'postgres'
      const more = isFile ? ` --log ${sanitiseLine(shellWord(where))}` : ''
      context.stdout.write(`${sanitiseLine(line)}\n`)
      context.stdout.write(`Continue it: loadout play --session ${id}${more}\n`)
    }
    return 0
  },
}
