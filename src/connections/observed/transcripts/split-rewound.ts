type Line = Readonly<Record<string, unknown>>

/** The lines of one conversation of a transcript: that of the session, or a part that the person went back from. */
export interface ObservedConversation {
  readonly lines: readonly Line[]
  /** The parts that left it, each after the first lines of it: the person went back to there. */
  readonly left: readonly Departure[]
}

interface Departure {
  /** The number of lines that both have. */
  readonly after: number
  /** The place of its first line in the transcript. */
  readonly place: number
  readonly part: ObservedConversation
}

/** A conversation while lines and parts are added to it. */
export interface GrowingConversation {
  readonly lines: Line[]
  readonly left: Departure[]
}

/** The members that make a tree of the lines of a transcript. */
interface LineTree {
  readonly id: string
  /** The members that may have the id of the entry before, first one first. */
  readonly parents: readonly string[]
  readonly beginsBranch: (line: Line) => boolean
  readonly isMessage: (line: Line) => boolean
}

/**
 * Splits a tree of entries into conversations, so that each line is in one of them. The session has the lines on the way
 * to the last entry, and those on whose way from there is no line that begins a branch. A part that the person went back
 * from is split in the same way, on the way to its last message; one without a message is left out. Lines without an id
 * are the session's.
 *
 * @param last the entry that the conversation is at
 */
export function splitRewound(
  lines: readonly Line[],
  last: Line | undefined,
  tree: LineTree,
): ObservedConversation {
  const before = entriesBefore(lines, tree)
  cutCircles(last ? [last, ...lines] : lines, before)
  const { order, latest } = messagesBelow(lines, before, tree)
  const main: GrowingConversation = { lines: [], left: [] }
  const onWay = new Set<Line>()
  for (let one = last; one !== undefined; one = before.get(one)) onWay.add(one)
  const owners = new Map([...onWay].map((line) => [line, main]))
  const begun: [Line, GrowingConversation][] = []
  for (const line of order) {
    if (owners.has(line)) continue
    const above = before.get(line)
    const owner = (above && owners.get(above)) ?? main
    const isNext = above !== undefined && latest.get(line) === latest.get(above)
    if (owner !== main && isNext && onWay.has(above)) onWay.add(line)
    else if (typeof line[tree.id] === 'string' && tree.beginsBranch(line)) {
      onWay.add(line)
      const part: GrowingConversation = { lines: [], left: [] }
      begun.push([line, part])
      owners.set(line, part)
      continue
    }
    owners.set(line, owner)
  }
  const places = new Map<Line, number>()
  const counts = new Map<Line, number>()
  for (const [place, line] of lines.entries()) {
    places.set(line, place)
    counts.set(line, owners.get(line)?.lines.push(line) ?? 0)
  }
  for (const [first, part] of begun) {
    const above = before.get(first)
    const place = places.get(part.lines[0] ?? first) ?? 0
    const after = (above && counts.get(above)) ?? 0
    const owner = (above && owners.get(above)) ?? main
    if (latest.get(first) !== undefined) owner.left.push({ after, place, part })
  }
  return main
}

/** Returns the entry before each one: the line above it when the file does not have the entry that it names. */
function entriesBefore(lines: readonly Line[], { id, parents }: LineTree): Map<Line, Line> {
  const byId = new Map(lines.map((line) => [line[id], line]))
  const before = new Map<Line, Line>()
  let above: Line | undefined
  for (const line of lines) {
    const named = parents.map((name) => line[name]).find((one) => typeof one === 'string')
    const found = named === undefined ? undefined : (byId.get(named) ?? above)
    if (found !== undefined) before.set(line, found)
    if (typeof line[id] === 'string') above = line
  }
  return before
}

/** Removes one step of each way that leads in a circle. */
function cutCircles(lines: readonly Line[], before: Map<Line, Line>): void {
  const known = new Set<Line>()
  for (const start of lines) {
    const way = new Set<Line>()
    let below = start
    for (let one: Line | undefined = start; one && !known.has(one); one = before.get(one)) {
      if (way.has(one)) {
        before.delete(below)
        break
      }
      way.add(one)
      below = one
    }
    for (const one of way) known.add(one)
  }
}

/** Returns the lines, each after the one before it in the tree, and the place of the last message at or below each. */
function messagesBelow(
  lines: readonly Line[],
  before: ReadonlyMap<Line, Line>,
  { isMessage }: LineTree,
) {
  const below = Map.groupBy(lines, (line) => before.get(line))
  const order = [...(below.get(undefined) ?? [])]
  for (const line of order) for (const one of below.get(line) ?? []) order.push(one)
  const latest = new Map<Line, number>()
  const raise = (line: Line, place: number) => {
    if (place > (latest.get(line) ?? -1)) latest.set(line, place)
  }
  for (const [place, line] of lines.entries()) if (isMessage(line)) raise(line, place)
  for (const line of order.toReversed()) {
    const above = before.get(line)
    const place = latest.get(line)
    if (above !== undefined && place !== undefined) raise(above, place)
  }
  return { order, latest }
}
