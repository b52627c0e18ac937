import type { WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import { type ContentHash, contentHash } from '../../../kernel/content-hash.ts'
import { substituteVariables, type VariableScope } from '../../../kernel/substitute-variables.ts'
import type { DefinitionRegistry } from '../../log/definition-registry.ts'
import { keyOf } from './history-message.ts'

/** The texts that a process keeps, and the values of their variables. */
interface StoredTexts {
  readonly scopes: readonly VariableScope[]
  readonly definitions: DefinitionRegistry
}

/** Returns the key of a text of the workspace. */
export function textKey(text: string): string {
  return keyOf('workspace', text)
}

/**
 * Keeps a text for later requests: in this process, and in the log, from which another process sends it
 * again. Returns the hash under which the log stores it; undefined for a text that its names do not restore,
 * such as one with a value that its format escapes.
 *
 * @param named the text with the names of variables instead of their values, for the log
 */
export function keepText(
  text: string,
  named: string,
  { scopes, definitions }: StoredTexts,
): ContentHash | undefined {
  definitions.noteText(textKey(text), text)
  if (substituteVariables(named, scopes).text !== text) return undefined
  const hash = contentHash(named)
  definitions.noteText(hash, named)
  return hash
}

/** Returns a scope in which each variable has its name as its value. */
export function namesAsValues(scope: VariableScope): VariableScope {
  const names = scope instanceof Map ? [...scope.keys()] : Object.keys(scope)
  return new Map(names.map((name) => [name, `{{ ${name} }}`]))
}

/** Returns the texts of messages by key; those that cannot be restored are left out. */
export async function restoreTexts(
  found: readonly { readonly message: WorkspaceMessage }[],
  { scopes, definitions }: StoredTexts,
): Promise<ReadonlyMap<string, string>> {
  const unknown = found.flatMap(({ message }) =>
    message.kind === 'text' && message.text && definitions.text(message.key) === undefined
      ? [[message.key, message.text] as const]
      : [],
  )
  const stored = await definitions.readTexts(unknown.map(([, hash]) => hash))
  for (const [key, hash] of unknown) {
    const named = stored.get(hash)
    const text = named === undefined ? undefined : substituteVariables(named, scopes).text
    // Under other values of the host's variables, the model has read another text.
    if (text !== undefined && textKey(text) === key) definitions.noteText(key, text)
  }
  return new Map(
    found.flatMap(({ message }) => {
      const text = message.kind === 'text' ? definitions.text(message.key) : undefined
      return message.kind === 'text' && text !== undefined ? [[message.key, text] as const] : []
    }),
  )
}
