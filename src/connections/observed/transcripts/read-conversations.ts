import { Budget } from '../../../workspace/commands/budget.ts'
import type { Observation, ObservedSession } from '../observation.ts'
import type { ObservedConversation } from './split-rewound.ts'

type Line = Readonly<Record<string, unknown>>

/** Reads the lines of one conversation, and knows what it has to know of those that it was forked from. */
interface ConversationReader<Self> {
  readonly seen: readonly Observation[]
  /** The observations of the reader that it was forked from that come before its own. */
  readonly begins: { readonly seen: number }
  /** The number of things that a fork copies. */
  readonly size: number
  add(line: Line): void
  fork(): Self
}

/** The most parts that are read. Of more, those that began later are left out. */
const MOST_BRANCHES = 1_000

/** The bytes that each thing takes in a fork. */
const BYTES_OF_COPY = 100

/**
 * Reads a session, and the parts of it that the person went back from: each is a session `<session>-branch-1` and so on, in
 * the order of the file. It has its own observations alone, after the first ones of the session that it left.
 */
export function readConversations<Reader extends ConversationReader<Reader>>(
  about: Omit<ObservedSession, 'seen'>,
  main: ObservedConversation,
  first: Reader,
): readonly [ObservedSession, ...ObservedSession[]] {
  const names = branchNames(about.session, main)
  const budget = new Budget('shown')
  const branches = new Map<string, () => ObservedSession>()
  const open: (readonly [name: string, conversation: ObservedConversation, reader: Reader])[] = []
  const read = (name: string, { lines, left }: ObservedConversation, reader: Reader) => {
    const leaving = Map.groupBy(left, ({ after }) => after)
    for (let count = 0; count <= lines.length; count += 1) {
      for (const { part } of leaving.get(count) ?? []) {
        const its = names.get(part)
        if (its === undefined || budget.take(BYTES_OF_COPY * reader.size) !== null) continue
        const fork = reader.fork()
        const { parent: _, ...shared } = about
        const { seen, begins } = fork
        open.push([its, part, fork])
        branches.set(its, () => {
          const forkedFrom = { session: name, seen: begins.seen }
          return { ...shared, session: its, forkedFrom, seen }
        })
      }
      const line = lines[count]
      if (line) reader.add(line)
    }
  }
  read(about.session, main, first)
  for (const one of open) read(...one)
  const own = [...names.values()].flatMap((name) => branches.get(name)?.() ?? [])
  return [{ ...about, seen: first.seen }, ...own]
}

/** Names the parts of a conversation, and those of each part, in the order of the file. */
function branchNames(
  session: string,
  main: ObservedConversation,
): ReadonlyMap<ObservedConversation, string> {
  const all = [...main.left]
  for (const { part } of all) for (const one of part.left) all.push(one)
  const first = all.toSorted((a, b) => a.place - b.place).slice(0, MOST_BRANCHES)
  return new Map(first.map(({ part }, index) => [part, `${session}-branch-${index + 1}`]))
}
