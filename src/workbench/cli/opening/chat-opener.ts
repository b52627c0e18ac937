import { chatPlace } from './open-log.ts'
import type { OpenSession } from './open-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ModelOptions, OpeningOptions } from '../shell/opening-options.ts'
import type { ChatOpener } from '../../playground/context/playground-context.ts'

/**
 * Returns the function that opens the conversation of a session, with the model of the options, else of the
 * configuration, else the scripted agent.
 */
export async function chatOpener(
  session: Pick<OpenSession, 'project' | 'createdIn'>,
  options: OpeningOptions & ModelOptions,
  context: CliContext,
): Promise<ChatOpener> {
  const chats = isStored(session, options) ? await chatPlace(options.log, context) : null
  return async (parts) => {
    const [{ openChat }, { openModel }] = await Promise.all([
      import('../../playground/chat/open-chat.ts'),
      import('../../playground/chat/open-model.ts'),
    ])
    const model = await openModel({
      address: options.model,
      configured: session.project.config.model,
      key: context.env['LOADOUT_MODEL_KEY'],
      context: options.context,
    })
    return openChat({ ...parts, chats, model })
  }
}

/** Returns true for a session that another command can continue. */
export function isStored(
  { createdIn }: Pick<OpenSession, 'createdIn'>,
  { log, session }: OpeningOptions,
): boolean {
  return log !== undefined || session !== undefined || createdIn !== null
}
