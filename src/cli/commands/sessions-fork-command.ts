import { Option } from 'commander'
import { openSessionAt } from '../opening/find-session.ts'
import { openLog, type OpenLog } from '../opening/open-log.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { atOption, type SessionsOptions, sessionsOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { shellWord } from '../shell/shell-word.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'

interface ForkOptions extends SessionsOptions {
  readonly at?: number
  readonly as?: string
  readonly into?: string
}

/** `loadout sessions fork`: begin a session with the first entries of another. */
export const sessionsForkCommand: CliCommand<ForkOptions> = {
  name: 'fork',
  summary: 'begin a session with the first entries of another',
  description:
    'Begin a session with the entries of another, up to the one of "@12" or --at 12: that is also how ' +
    'one goes back, since nothing is ever cut. The other one stays as it is. Running calls and open ' +
    'confirmations do not come along. A JSON Lines log holds one session, so a fork of it goes where ' +
    'sessions are kept, or into the log of --into.',
  arguments: '<session>',
  options: () => [
    atOption(),
    new Option('--as <id>', 'the id of the new session; a random one by default'),
    new Option('--into <log>', 'where the new session is kept; beside the other by default'),
    ...sessionsOptions(),
  ],
  examples: ['loadout sessions fork latest@2 --as second-try'],
  async run({ words: [word = ''], options, context }) {
    const { as, into } = options
    const isOne = into !== undefined || (await isJsonl(word, options, context))
    const { open, session, at } = await openSessionAt(
      word,
      options,
      isOne ? 'look' : 'write',
      context,
    )
    const target = isOne ? await openTarget(into, context) : open
    const { forkSession } = await import('../../workspace/log/fork-session.ts')
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
      const line = `Entries 0 to ${forked.from.seq} of "${session}" are a session of their own in ${target.name}.`
      const where = into === undefined ? options.log : into
      // An address may hold a password.
      const isFile = where !== undefined && target.kind !== 'postgres'
      const more = isFile ? ` --log ${shellWord(where)}` : ''
      context.stdout.write(`${sanitiseLine(line)}\n`)
      context.stdout.write(`Go on with it: loadout play --session ${id}${sanitiseLine(more)}\n`)
    }
    return 0
  },
}

async function isJsonl(word: string, options: ForkOptions, context: CliContext): Promise<boolean> {
  return (await openSessionAt(word, options, 'look', context)).open.kind === 'jsonl'
}

async function openTarget(named: string | undefined, context: CliContext): Promise<OpenLog> {
  const open = await openLog(named, { purpose: 'write' }, context)
  if (open !== null) return open
  throw wrongUsage('No log is named.', 'Name one: --into sessions.sqlite.')
}
