import type { Option } from 'commander'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { openSessionAt } from '../../opening/find-session.ts'
import { sessionOptions, type StoredSessionOptions } from '../../shell/opening-options.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** `loadout sessions delete`: permanently delete sessions from their log. */
export const sessionsDeleteCommand: CliCommand<StoredSessionOptions> = {
  name: 'delete',
  summary: 'Permanently delete sessions',
  description:
    'Permanently delete sessions, including damaged ones, without confirmation. If one of the sessions ' +
    'does not exist, none is deleted. The child sessions of a session are deleted with it.\n\n' +
    'Definitions are kept, because other sessions may use them; "sessions prune" deletes those that none ' +
    'uses.',
  arguments: '[session...]',
  options: (): readonly Option[] => sessionOptions(),
  examples: ['loadout sessions delete latest'],
  async run({ words, options, context }) {
    const found = []
    const given = words.length === 0 ? [undefined] : words
    for (const word of given) found.push(await openSessionAt(word, options, 'write', context))
    if (found.some(({ at }) => at !== null)) {
      throw wrongUsage(
        'Only a complete session can be deleted, not a part of it.',
        'To continue from an earlier entry, fork the session: loadout sessions fork.',
      )
    }
    const { deleteChat } = await import('../../../playground/chat/chat-store.ts')
    const deleted = []
    for (const { open, session: root } of found) {
      const { sessionTree } = await import('../../opening/session-tree.ts')
      for (const session of await sessionTree(open.log, root)) {
        await open.log.delete(session)
        deleteChat(open.chats, session)
        deleted.push({ session, log: open.name })
        if (options.json === true) continue
        context.stdout.write(`${sanitiseLine(`Deleted "${session}" from ${open.name}.`)}\n`)
      }
    }
    if (options.json === true) context.stdout.write(jsonText({ deleted }))
    return 0
  },
}
