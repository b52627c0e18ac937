import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { BUILT_IN_INTENTS } from '../../../tools/intents/built-in-intents.ts'
import type { IntentDefinition } from '../../../tools/intents/intent-definition.ts'

/** The intents a session takes, by type. */
export type KnownIntents = ReadonlyMap<string, IntentDefinition>

const BUILT_IN: KnownIntents = new Map(BUILT_IN_INTENTS.map((one) => [one.type, one]))

/**
 * The built-in intents and those of the host, whose own definition of a built-in type goes before. Throws
 * `INTENT_DUPLICATE` for a type that the host defined twice.
 */
export function knownIntents(own: readonly IntentDefinition[] = []): KnownIntents {
  if (own.length === 0) return BUILT_IN
  const known = new Map(BUILT_IN)
  const seen = new Set<string>()
  for (const one of own) {
    if (seen.has(one.type)) throw duplicate(one.type)
    seen.add(one.type)
    known.set(one.type, one)
  }
  return known
}

function duplicate(type: string): WorkspaceError {
  return new WorkspaceError('INTENT_DUPLICATE', `The intent "${type}" is defined twice.`, {
    hint: 'Keep one of them in the option "intents".',
    facts: { type },
  })
}
