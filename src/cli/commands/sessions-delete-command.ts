import type { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSessionAt } from '../opening/find-session.ts'
import { sessionsOptions, type SessionsOptions } from '../shell/common-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** `loadout sessions delete`: take sessions out of their log, for good. */
export const sessionsDeleteCommand: CliCommand<SessionsOptions> = {
  name: 'delete',
  summary: 'delete sessions for good',
  description:
    'Delete sessions, damaged ones as well: nobody is asked, and nothing brings them back. All of them ' +
    'are looked for first; when one is not there, none is deleted. Of a JSON Lines log the file goes. ' +
    'Definitions stay, since other sessions may use them.',
  arguments: '<session...>',
  options: (): readonly Option[] => sessionsOptions(),
  examples: ['loadout sessions delete latest'],
  async run({ words, options, context }) {
    const found = []
    for (const word of words) found.push(await openSessionAt(word, options, 'write', context))
    if (found.some(({ at }) => at !== null)) {
      throw wrongUsage(
        'A session is deleted as a whole.',
        'To go on from an entry, fork it: loadout sessions fork.',
      )
    }
    const deleted = []
    for (const { open, session } of found) {
      await open.log.delete(session)
      deleted.push({ session, log: open.name })
      if (options.json === true) continue
      context.stdout.write(`${sanitiseLine(`Deleted "${session}" from ${open.name}.`)}\n`)
    }
    if (options.json === true) context.stdout.write(jsonText({ deleted }))
    return 0
  },
}
