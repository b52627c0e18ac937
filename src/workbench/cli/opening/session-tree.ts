import { type Entry, type EventLog, WorkspaceError } from '../../../entries/index.ts'

/** Returns the parent of a session from its first entry; null when it is no child. A fork of a child is none. */
export function findParent(session: string, first: Entry | undefined): string | null {
  if (first?.event.type !== 'session.opened' || first.event.session !== session) return null
  return first.event.parent?.session ?? null
}

/** Returns a session and those below it, children before their parents. */
export async function sessionTree(log: EventLog, session: string): Promise<readonly string[]> {
  const parents = new Map<string, string | null>()
  for (const one of await log.list()) parents.set(one.session, await readParent(log, one.session))
  const under = Map.groupBy(parents.keys(), (one) => parents.get(one))
  // A set, because a log of others may have parents that lead in a circle.
  const found = new Set([session])
  for (const one of found) for (const child of under.get(one) ?? []) found.add(child)
  return [...found].toReversed()
}

/** A session that cannot be read is nobody's child. */
async function readParent(log: EventLog, session: string): Promise<string | null> {
  try {
    const [first] = await log.read(session, 0, 0)
    return findParent(session, first)
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    return null
  }
}

/**
 * Puts children after their parents, and forks after their origins, with their depth. The order is the given one otherwise. Sessions whose parents lead
 * in a circle come last.
 */
export function inTreeOrder<
  Row extends {
    readonly session: string
    readonly parent: string | null
    readonly forkedFrom?: string
  },
>(rows: readonly Row[]): readonly { readonly row: Row; readonly depth: number }[] {
  const known = new Set(rows.map(({ session }) => session))
  const under = Map.groupBy(rows, ({ parent, forkedFrom = parent }) =>
    forkedFrom !== null && known.has(forkedFrom) ? forkedFrom : null,
  )
  const placed = new Map<Row, number>()
  for (const root of [...(under.get(null) ?? []), ...rows]) {
    const open = [{ row: root, depth: 0 }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { row, depth } = next
      if (placed.has(row)) continue
      placed.set(row, depth)
      for (const child of under.get(row.session)?.toReversed() ?? [])
        open.push({ row: child, depth: depth + 1 })
    }
  }
  return [...placed].map(([row, depth]) => ({ row, depth }))
}
