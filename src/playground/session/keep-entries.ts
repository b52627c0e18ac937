import type { Entry } from '../../engine/model/event.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** The entries of a session, kept up to date until it is let go. */
export interface EntryKeeper {
  entries(): readonly Entry[]
  /** Numbers of those that another process appended meanwhile; the same set until more come. */
  foreign(): ReadonlySet<number>
  stop(): void
}

/**
 * Follow the log of a session from what it has now. Entries that nobody told of are read when the
 * next ones show that there are some: where a session is not followed, those of other processes.
 *
 * @param carried numbers of entries that are known to be another process's already
 */
export async function keepEntries(
  workspace: VirtualWorkspace,
  onChange: () => void,
  carried: ReadonlySet<number> = new Set(),
): Promise<EntryKeeper> {
  let known = await workspace.entries()
  let foreign = carried
  /** Own entries that were told and are not known yet. */
  const own = new Set<number>()
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
    const others = fresh.map(({ seq }) => seq).filter((seq) => !own.delete(seq))
    if (others.length > 0) foreign = new Set([...foreign, ...others])
    onChange()
  }
  const noteOwn = (entries: readonly Entry[]) => {
    for (const { seq } of entries) if (seq >= known.length) own.add(seq)
    // Read from the log before anybody told of it.
    const mistaken = new Set(entries.map(({ seq }) => seq).filter((seq) => foreign.has(seq)))
    if (mistaken.size === 0) return
    foreign = foreign.difference(mistaken)
    onChange()
  }
  const stop = workspace.subscribe((_outcome, entries, origin) => {
    if (origin === 'own') noteOwn(entries)
    add(entries)
  })
  return { entries: () => known, foreign: () => foreign, stop }
}
