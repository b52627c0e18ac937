import type { SessionSnapshot } from '../session/session-store.ts'
import type { WorkspaceReader } from '../workspace/workspace-reader.ts'

/**
 * The same reading, done once for a moment of a session and what it is asked with: a frame in which
 * only the cursor moved computes nothing anew, however many tools there are.
 */
export function keptPerState<Asked extends readonly unknown[], Value>(
  read: (reader: WorkspaceReader, ...asked: Asked) => Value,
): (reader: WorkspaceReader, ...asked: Asked) => Value {
  const kept = new WeakMap<SessionSnapshot, { readonly asked: Asked; readonly value: Value }>()
  return (reader, ...asked) => {
    const snapshot = reader.store.getState()
    const known = kept.get(snapshot)
    if (known?.asked.every((one, index) => one === asked[index])) return known.value
    const value = read(reader, ...asked)
    kept.set(snapshot, { asked, value })
    return value
  }
}
