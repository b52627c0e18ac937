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
  const below = (parent: string): readonly string[] => [
    ...[...parents].flatMap(([child, of]) => (of === parent ? below(child) : [])),
    parent,
  ]
  return below(session)
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

/** Puts children after their parents, with their depth. The order is the given one otherwise. */
export function inTreeOrder<
  Row extends { readonly session: string; readonly parent: string | null },
>(rows: readonly Row[]): readonly { readonly row: Row; readonly depth: number }[] {
  const known = new Set(rows.map(({ session }) => session))
  const under = Map.groupBy(rows, ({ parent }) =>
    parent !== null && known.has(parent) ? parent : null,
  )
  const place = (parent: string | null, depth: number): { row: Row; depth: number }[] =>
    (under.get(parent) ?? []).flatMap((row) => [{ row, depth }, ...place(row.session, depth + 1)])
  return place(null, 0)
}
