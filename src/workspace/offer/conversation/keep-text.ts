import type { WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import { type ContentHash, contentHash } from '../../../kernel/content-hash.ts'
import { substituteVariables, type VariableScope } from '../../../kernel/substitute-variables.ts'
import type { DefinitionRegistry } from '../../log/definition-registry.ts'
import { keyOf } from './history-message.ts'

/** Returns the key of a text of the workspace. */
export function textKey(text: string): string {
  return keyOf('workspace', text)
}

/**
 * Keeps a text for later requests: in this process, and in the log, from which another process sends it
 * again. The log gets the names of variables instead of their values. Returns the hash under which the log
 * stores it; undefined for a text that its names do not restore.
 */
export function keepText(
  text: string,
  scopes: readonly VariableScope[],
  definitions: DefinitionRegistry,
): ContentHash | undefined {
  definitions.noteText(textKey(text), text)
  const stored = withNames(text, scopes)
  if (substituteVariables(stored, scopes).text !== text) return undefined
  const hash = contentHash(stored)
  definitions.noteText(hash, stored)
  return hash
}

/** Returns the texts of these messages by key; those that cannot be restored are left out. */
export async function restoreTexts(
  ours: readonly WorkspaceMessage[],
  scopes: readonly VariableScope[],
  definitions: DefinitionRegistry,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  await Promise.all(
    ours.map(async (message) => {
      if (message.kind !== 'text') return
      const { key, text: hash } = message
      const known = definitions.text(key)
      if (known !== undefined) {
        texts.set(key, known)
        return
      }
      const stored = hash && (await definitions.readText(hash))
      if (stored === undefined) return
      const text = substituteVariables(stored, scopes).text
      // The host gives other values now: the model has read another text.
      if (textKey(text) !== key) return
      definitions.noteText(key, text)
      texts.set(key, text)
    }),
  )
  return texts
}

/** Replaces the values of variables by their names: the longest first, all in one pass. */
function withNames(text: string, scopes: readonly VariableScope[]): string {
  const names = new Map<string, string>()
  for (const scope of scopes) {
    const entries = scope instanceof Map ? [...scope] : Object.entries(scope)
    for (const [name, value] of entries) if (value !== '') names.set(value, name)
  }
  if (names.size === 0) return text
  const values = [...names.keys()].toSorted((a, b) => b.length - a.length)
  let written = ''
  for (let at = 0; at < text.length;) {
    const value = values.find((one) => text.startsWith(one, at))
    written += value === undefined ? text.charAt(at) : `{{ ${names.get(value) ?? ''} }}`
    at += value?.length ?? 1
  }
  return written
}
