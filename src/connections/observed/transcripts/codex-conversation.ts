import type { ObservedSession } from '../observation.ts'
import type { ObservedConversation, GrowingConversation } from './split-rewound.ts'
import { jsonIn, list, memberIn, number, object, text } from '../content/text-in-content.ts'

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

/** Returns what the header of a file says of its session. */
export function codexThread(lines: readonly Line[]): Omit<ObservedSession, 'seen'> {
  // A session that continues another one has a second header: that of the other.
  const meta = object(lines.find(({ type }) => type === 'session_meta')?.['payload'])
  const spawned = memberIn(memberIn(meta['source'], 'subagent'), 'thread_spawn')
  const parent = text(meta['parent_thread_id']) || text(memberIn(spawned, 'parent_thread_id'))
  const agent = text(memberIn(spawned, 'agent_role')) || null
  return {
    session: text(meta['id']) || text(meta['session_id']),
    client: 'codex',
    version: text(meta['cli_version']) || null,
    folder: text(meta['cwd']) || null,
    ...(parent !== '' && { parent: { session: parent, call: null, agent } }),
  }
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

/** Returns the calls that began subagents, by the ids of the subagents: an item says it, in earlier versions the result. */
export function spawningCalls(lines: readonly Line[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>()
  for (const { payload } of lines) {
    const item = object(memberIn(payload, 'item'))
    if (item['type'] === 'CollabAgentToolCall' && item['tool'] === 'spawn_agent') {
      for (const agent of list(item['receiver_thread_ids']))
        calls.set(text(agent), text(item['id']))
    }
    const said = text(memberIn(payload, 'output'))
    const agent = said.startsWith('{"agent_id"') ? text(memberIn(jsonIn(said), 'agent_id')) : ''
    if (agent !== '') calls.set(agent, text(memberIn(payload, 'call_id')))
  }
  return calls
}
