import type { Entry } from '../../engine/event.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** The entries of a session, kept up to date until it is let go. */
export interface EntryKeeper {
  entries(): readonly Entry[]
  stop(): void
}

/**
 * Follow the log of a session from what it has now. Entries that other processes appended are
 * read when the next command shows that there are some.
 */
export async function keepEntries(
  workspace: VirtualWorkspace,
  onChange: () => void,
): Promise<EntryKeeper> {
  let known = await workspace.entries()
  let reading: Promise<void> | undefined
  const readMissed = async () => {
    const missed = await workspace.entries(known.length)
    add(missed)
  }
  const add = (entries: readonly Entry[]) => {
    const fresh = entries.filter(({ seq }) => seq >= known.length)
    if (fresh.length === 0) return
    if (fresh[0]?.seq !== known.length) {
      reading ??= readMissed().finally(() => (reading = undefined))
      return
    }
    known = [...known, ...fresh]
    onChange()
  }
  const stop = workspace.subscribe((_outcome, entries) => add(entries))
  return { entries: () => known, stop }
}
