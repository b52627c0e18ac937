import type { WorkspaceState } from '../../engine/model/state.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'

/**
 * The same reading, done once for a moment of a session and what it is asked with: a frame in which
 * only the cursor moved computes nothing anew, however many tools there are. Skills on their way
 * are no fact of the session: who needs them asks with them.
 */
export function keptPerState<Asked extends readonly unknown[], Value>(
  read: (reader: WorkspaceReader, ...asked: Asked) => Value,
): (reader: WorkspaceReader, ...asked: Asked) => Value {
  const kept = new WeakMap<
    WorkspaceReader,
    { readonly state: WorkspaceState; readonly asked: Asked; readonly value: Value }
  >()
  return (reader, ...asked) => {
    const { state } = reader
    const known = kept.get(reader)
    if (known?.state === state && known.asked.every((one, index) => one === asked[index])) {
      return known.value
    }
    const value = read(reader, ...asked)
    kept.set(reader, { state, asked, value })
    return value
  }
}
