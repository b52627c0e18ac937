import { entryHash } from '../../../entries/log.ts'
import { chatPlace, chatsFolder } from './open-log.ts'
import type { OpenSession } from './open-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { knownSecrets } from '../shell/known-secrets.ts'
import type { ModelOptions, OpeningOptions } from '../shell/opening-options.ts'
import type { ChatOpener } from '../../playground/chat/open-chat.ts'
import type { TextSource } from '../../playground/context/kept-texts.ts'

/**
 * Returns the function that opens the conversation of a session, with the model of the options, else of the
 * configuration, else the search; a scenario is played instead.
 */
export async function chatOpener(
  session: Pick<OpenSession, 'project' | 'options' | 'createdIn' | 'scenario' | 'forks'>,
  options: OpeningOptions & ModelOptions,
  context: CliContext,
): Promise<ChatOpener> {
  const chats = isStored(session, options) ? await chatPlace(options.log, context) : null
  return async (parts) => {
    const { openStoredChat } = await import('../../playground/chat/open-model.ts')
    const choice = {
      address: options.model,
      configured: session.project.config.model,
      key: context.env['LOADOUT_MODEL_KEY'],
      context: options.context,
      redactor: knownSecrets(context.env),
    }
    const [first] = (await session.options.log?.read(parts.workspace.session, 0, 0)) ?? []
    const place = chats && { ...chats, ...(first && { opening: entryHash(first) }) }
    return openStoredChat(parts, place, session.scenario, choice, session.forks)
  }
}

/** Returns the texts that a session keeps: in its log, and the messages of its conversation. */
export function textSource(
  { workspace: { session }, options: { log } }: Pick<OpenSession, 'workspace' | 'options'>,
  given: string | undefined,
  context: CliContext,
): TextSource {
  return {
    definitions: async (hashes) => log.definitions.get(hashes),
    async messages() {
      const [folder, { openChatStore }] = await Promise.all([
        chatsFolder(given, context),
        import('../../playground/chat/chat-store.ts'),
      ])
      // Messages of others are read like all others: nothing continues them here.
      const place = folder === null ? null : { folder, user: null }
      return openChatStore(place, session, knownSecrets(context.env)).messages
    },
  }
}

/** Returns true for a session that another command can continue. */
export function isStored(
  { createdIn }: Pick<OpenSession, 'createdIn'>,
  { log, session }: OpeningOptions,
): boolean {
  return log !== undefined || session !== undefined || createdIn !== null
}
