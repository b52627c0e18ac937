import { entryHash } from '../../../entries/adapter.ts'
import { chatPlace } from './open-log.ts'
import type { OpenSession } from './open-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { knownSecrets } from '../shell/known-secrets.ts'
import type { ModelOptions, OpeningOptions } from '../shell/opening-options.ts'
import type { ChatOpener } from '../../playground/chat/open-chat.ts'

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

/** Returns true for a session that another command can continue. */
export function isStored(
  { createdIn }: Pick<OpenSession, 'createdIn'>,
  { log, session }: OpeningOptions,
): boolean {
  return log !== undefined || session !== undefined || createdIn !== null
}
