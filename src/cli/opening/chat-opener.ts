import { defaultLog, logName } from './open-log.ts'
import type { OpenSession } from './open-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ModelOptions, OpeningOptions } from '../shell/opening-options.ts'
import type { ChatOpener } from '../../playground/context/playground-context.ts'

/**
 * Returns the function that opens the conversation of a session, with the model of the options, else of the
 * configuration, else the scripted agent. Messages are stored next to the log of the session.
 */
export async function chatOpener(
  session: Pick<OpenSession, 'project' | 'createdIn'>,
  options: OpeningOptions & ModelOptions,
  context: CliContext,
): Promise<ChatOpener> {
  const log = isStored(session, options) ? await logFile(options.log, context) : null
  return async (parts) => {
    const { openChat } = await import('../../playground/chat/open-chat.ts')
    return openChat({
      ...parts,
      log,
      address: options.model,
      configured: session.project.config.model,
      key: context.env['LOADOUT_MODEL_KEY'],
      context: options.context,
    })
  }
}

/** Returns true for a session that another command can continue. */
export function isStored(
  { createdIn }: Pick<OpenSession, 'createdIn'>,
  { log, session }: OpeningOptions,
): boolean {
  return log !== undefined || session !== undefined || createdIn !== null
}

/** The file next to which messages are stored. Those of a session in PostgreSQL are stored on this machine. */
export async function logFile(
  given: string | undefined,
  context: CliContext,
): Promise<string | null> {
  const name = await logName(given, context)
  return /^postgres(?:ql)?:/u.test(name) ? defaultLog(context) : name
}
