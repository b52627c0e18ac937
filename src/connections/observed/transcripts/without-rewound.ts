type Line = Readonly<Record<string, unknown>>

/**
 * Leaves out the lines of a tree of entries that the person went back from: those that are not on the way to the last
 * entry, and on whose way from there is a line that begins a branch. Lines without an id stay.
 *
 * @param last the entry that the conversation is at
 */
export function withoutRewound(
  lines: readonly Line[],
  last: Line | undefined,
  tree: {
    readonly id: string
    /** The members that may have the id of the entry before, first one first. */
    readonly parents: readonly string[]
    readonly beginsBranch: (line: Line) => boolean
  },
): readonly Line[] {
  const before = entriesBefore(lines, tree)
  const rewound = new Map<Line, boolean>()
  for (let one = last; one !== undefined && !rewound.has(one); one = before.get(one)) {
    rewound.set(one, false)
  }
  return lines.filter((line) => {
    const way: Line[] = []
    let one: Line | undefined = line
    while (one !== undefined && !rewound.has(one)) {
      rewound.set(one, false)
      way.push(one)
      one = before.get(one)
    }
    let isRewound = one !== undefined && rewound.get(one) === true
    for (const step of way.toReversed()) {
      isRewound ||= typeof step[tree.id] === 'string' && tree.beginsBranch(step)
      rewound.set(step, isRewound)
    }
    return rewound.get(line) !== true
  })
}

/** Returns the entry before each one: the line above it when the file does not have the entry that it names. */
function entriesBefore(
  lines: readonly Line[],
  { id, parents }: { readonly id: string; readonly parents: readonly string[] },
): ReadonlyMap<Line, Line> {
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
