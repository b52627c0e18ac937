import type { ObservedConversation, GrowingConversation } from './split-rewound.ts'
import { memberIn, number, object, text } from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * Splits the lines of a session of Codex into conversations. The person goes back over turns in the same file, or to an
 * entry of an earlier file, whose lines come first and which another file continues.
 */
export function codexConversation(lines: readonly Line[]): ObservedConversation {
  const isTurn = codexTurns(lines)
  const places = new Map(lines.map((line, place) => [line, place]))
  const bases = new Set<string>()
  const main: GrowingConversation = { lines: [], left: [] }
  /** The places of the turns in `main`. */
  const turns: number[] = []
  const goBack = (after: number, gone: readonly Line[]) => {
    const stays = main.left.findLastIndex((one) => one.after <= after) + 1
    const left = main.left.splice(stays)
    while ((turns.at(-1) ?? -1) >= after) turns.pop()
    const [first] = gone
    if (first && gone.some((line) => line['type'] === 'response_item' || isTurn(line))) {
      const moved = left.map((one) => ({ ...one, after: one.after - after }))
      const part = { lines: gone, left: moved }
      main.left.push({ after, place: places.get(first) ?? 0, part })
    } else for (const one of left) main.left.push({ ...one, after })
  }
  for (const line of lines) {
    const { type, payload } = line
    const base = type === 'session_meta' ? historyBase(payload) : null
    // The header of a file may be in it more than once.
    if (base !== null && base.id !== '' && !bases.has(`${base.id} ${base.end}`)) {
      bases.add(`${base.id} ${base.end}`)
      const isKept = ({ ordinal }: Line) => number(ordinal) < base.end
      const gone = main.lines.filter((one) => !isKept(one))
      const kept = main.lines.filter(isKept)
      main.lines.length = 0
      for (const one of kept) main.lines.push(one)
      goBack(kept.length, gone)
    }
    if (type === 'event_msg' && memberIn(payload, 'type') === 'thread_rolled_back') {
      const count = number(memberIn(payload, 'num_turns'))
      const first = turns.at(-count) ?? turns[0]
      if (count > 0 && first !== undefined) goBack(first, main.lines.splice(first))
      continue
    }
    if (isTurn(line)) turns.push(main.lines.length)
    main.lines.push(line)
  }
  return main
}

/** Returns the session that a file continues, and the first entry of it that it does not have. */
export function historyBase(payload: unknown): { readonly id: string; readonly end: number } {
  const base = object(memberIn(payload, 'history_base'))
  return { id: text(base['thread_id']), end: number(base['end_ordinal_exclusive']) }
}

/** Returns a function that recognises the line that begins a turn: an item, or an event in earlier versions. */
export function codexTurns(lines: readonly Line[]): (line: Line) => boolean {
  const isItem = ({ payload }: Line) =>
    memberIn(memberIn(payload, 'item'), 'type') === 'UserMessage'
  const name = lines.some(isItem) ? 'item_completed' : 'user_message'
  return (line) => {
    const isNamed = line['type'] === 'event_msg' && memberIn(line['payload'], 'type') === name
    return isNamed && (name === 'user_message' || isItem(line))
  }
}
