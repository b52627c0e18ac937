import { byteLength } from '../../kernel/byte-length.ts'
import { isObject } from '../../kernel/json-value.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import {
  checkPrune,
  type PruneReport,
  type PruneRequest,
  type SessionSummary,
} from './event-log.ts'
import { addReferences } from './referenced-definitions.ts'

/** The content of a log that is small enough to be read at once. */
interface PrunedLog {
  readonly sessions: readonly Pick<SessionSummary, 'session' | 'changedAt'>[]
  /** Returns the stored texts of the entries of a session, in their order. */
  texts(session: string): readonly string[]
  /** The stored texts of the definitions, by hash. */
  readonly definitions: ReadonlyMap<string, string>
}

/**
 * Plans a pruning: the old sessions, as `oldTrees` returns them, and the definitions that no other session refers to. For a
 * log that can read all of its entries in the transaction in which it deletes. Throws `OPTIONS_INVALID` for a mistyped
 * request, before anything is deleted.
 *
 * @param request the argument of `prune`; with `dryRun` the log only returns the report
 */
export function planPruning(
  request: PruneRequest = {},
  { sessions, texts, definitions }: PrunedLog,
): { readonly report: PruneReport; readonly unused: readonly string[] } {
  checkPrune(request)
  const { changedBefore = -Infinity } = request
  const aged = sessions.map(({ session, changedAt }) => {
    return { session, isOld: changedAt < changedBefore, first: texts(session)[0] }
  })
  const old = new Set(oldTrees(aged).flat())
  const referenced = new Set<string>()
  for (const { session } of sessions) {
    if (!old.has(session))
      addReferences(texts(session), referenced, (hash) => definitions.get(hash))
  }
  const unused = [...definitions].filter(([hash]) => !referenced.has(hash))
  const bytes = unused.reduce((sum, [, text]) => sum + byteLength(text), 0)
  const report = { sessions: [...old], definitions: unused.length, bytes }
  return { report, unused: unused.map(([hash]) => hash) }
}

/** A session of a log that may be pruned. */
interface AgedSession {
  readonly session: string
  /** True when its last entry is from before the time of the pruning. */
  readonly isOld: boolean
  /** The text of its first entry; may be left out for a session whose first entry names no parent. */
  readonly first: string | undefined
}

/**
 * Returns the old sessions, as trees of sessions and their children. A session is as old as the newest one of its tree,
 * so a parent is not deleted under its children, and a parent that continues keeps all of its children.
 */
export function oldTrees(sessions: readonly AgedSession[]): readonly (readonly string[])[] {
  const parents = new Map(sessions.map((one) => [one.session, parentInText(one)]))
  const trees = Map.groupBy(sessions, ({ session }) => findRoot(session, parents))
  return [...trees.values()].flatMap((tree) =>
    tree.every(({ isOld }) => isOld) ? [tree.map(({ session }) => session)] : [],
  )
}

/** Returns the topmost session that the log still has above a session, or the session itself. */
function findRoot(session: string, parents: ReadonlyMap<string, string | null>): string {
  const passed = new Set([session])
  let root = session
  for (;;) {
    const parent = parents.get(root) ?? null
    // Imported sessions may name each other as parents.
    if (parent === null || !parents.has(parent) || passed.has(parent)) return root
    passed.add(parent)
    root = parent
  }
}

/** Returns the parent of a session; null for one that is no child, and for a text that cannot be read. */
function parentInText({ session, first }: AgedSession): string | null {
  const entry = tryOrUndefined(() => JSON.parse(first ?? 'null') as unknown)
  const event = isObject(entry) && isObject(entry['event']) ? entry['event'] : {}
  // A fork begins with the first entry of another session, and is no child.
  if (event['type'] !== 'session.opened' || event['session'] !== session) return null
  const { parent } = event
  return isObject(parent) && typeof parent['session'] === 'string' ? parent['session'] : null
}
