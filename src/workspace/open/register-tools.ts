import type { Command } from '../../engine/model/command.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { RegistrationOptions } from './command-options.ts'
import type { SessionParts } from '../offer/session-parts.ts'

type Register = Extract<Command, { type: 'source.register' }>

/** Register the tools of an owner, and take their handlers for calls of them. */
export function registerTools(
  { definitions, dispatcher }: SessionParts,
  registered: Pick<Register, 'source' | 'owner' | 'tools' | 'state'>,
  { by = 'host', onConflict = 'refuse', replace = false, trusted = true }: RegistrationOptions = {},
): Promise<Outcome> {
  for (const tool of registered.tools) {
    if (trusted) definitions.bind(tool)
    else definitions.bindUntrusted(tool)
  }
  const terms = { onConflict, replace, ...(!trusted && { trusted }) }
  return dispatcher.dispatch({ type: 'source.register', ...registered, ...terms }, { by })
}
