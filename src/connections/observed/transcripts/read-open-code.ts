import type { DatabaseSync } from 'node:sqlite'
import { WorkspaceError } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import type { Observation, ObservedSession } from '../observation.ts'
import { readConversations } from './read-conversations.ts'
import type { ObservedConversation } from './split-rewound.ts'
import { contentOfSkill, REFUSED_BY_OPEN_CODE, skillNamedIn } from '../content/wire-skills.ts'
import {
  jsonIn,
  memberIn,
  number,
  object,
  text,
  readTime,
  toolNameIn,
} from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** The tables that are read, with the members of their rows and the order that OpenCode shows them in. */
const TABLES = {
  session: 'id, parent_id, directory, version, revert, time_created ORDER BY time_created, id',
  message: 'id, session_id, time_created, data ORDER BY time_created, id',
  part: 'id, session_id, message_id, time_created, data ORDER BY id',
} as const

/** Returns true for a row of the database of OpenCode, with the name of its table. */
export function isOpenCodeLine({ table, id }: Line): boolean {
  return typeof table === 'string' && Object.hasOwn(TABLES, table) && typeof id === 'string'
}

/**
 * Returns the rows of a database of OpenCode, each with its table; null for another database. What a database computes when
 * it is read, such as a view, has no end that its size shows, so it is of no agent.
 *
 * @param count gets the bytes of each row, and may throw
 */
export function openCodeRows(
  database: DatabaseSync,
  count: (bytes: number) => void,
): readonly Line[] | null {
  try {
    if (database.prepare(STORED_TABLES).all().length < 3) return null
    return Object.entries(TABLES).flatMap(([table, columns]) => {
      const [names = '', order = ''] = columns.split(' ORDER BY ')
      const rows = database.prepare(`SELECT ${names} FROM ${table} ORDER BY ${order}`).iterate()
      return Array.from(rows, (row) => {
        count(Object.values(row).reduce((sum: number, value) => sum + text(value).length, 0))
        return { ...row, table }
      })
    })
  } catch (error) {
    if (WorkspaceError.is(error)) throw error
    return null
  }
}

/** The tables whose rows are all in the file: no views, and no columns that are computed. */
const STORED_TABLES = `SELECT name FROM pragma_table_list AS found
  WHERE schema = 'main' AND type = 'table' AND name IN ('session', 'message', 'part')
  AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(found.name) WHERE hidden <> 0)`

/**
 * Reads rows of the database of OpenCode (`~/.local/share/opencode/opencode.db`): its sessions, those of subagents with
 * their parent. It has neither instructions, nor tools, nor the list of skills. What was reverted is a session of its own.
 */
export function readOpenCode(rows: readonly Line[]): readonly ObservedSession[] {
  const messages = Map.groupBy(
    rows.filter(({ table }) => table === 'message'),
    (row) => text(row['session_id']),
  )
  const parts = Map.groupBy(
    rows.filter(({ table }) => table === 'part'),
    ({ message_id: id }) => id,
  )
  const sessions = new Map(
    rows.filter(({ table }) => table === 'session').map((row) => [text(row['id']), row]),
  )
  const begun = new Map(rows.filter(({ table }) => table === 'part').flatMap(taskIn))
  for (const id of messages.keys()) if (!sessions.has(id)) sessions.set(id, {})
  return [...sessions].flatMap(([id, row]) => {
    const parent = text(row['parent_id'])
    const all = messages.get(id) ?? []
    const said = all.map((message) => ({ message, parts: parts.get(message['id']) ?? [] }))
    const about = {
      session: id,
      client: 'opencode',
      version: text(row['version']) || null,
      folder: text(row['directory']) || null,
      ...(parent !== '' && { parent: { session: parent, ...(begun.get(id) ?? UNKNOWN) } }),
    }
    return readConversations(about, conversationIn(said, dataIn(row['revert'])), new Reader())
  })
}

/** A row of a message, with those of its parts. */
interface Message extends Line {
  readonly message: Line
  readonly parts: readonly Line[]
}

/** Returns a conversation: what was reverted, and may be restored until the next message of the person, left it. */
function conversationIn(
  said: readonly Message[],
  { messageID, partID }: Line,
): ObservedConversation {
  const after = said.findIndex(({ message }) => message['id'] === messageID)
  const cut = said[after]
  if (cut === undefined) return { lines: said, left: [] }
  const end = cut.parts.findIndex((part) => part['id'] === partID)
  const begun = end > 0 ? [{ ...cut, parts: cut.parts.slice(0, end) }] : []
  const part = { lines: said.slice(after), left: [] }
  return { lines: [...said.slice(0, after), ...begun], left: [{ after, place: after, part }] }
}

const UNKNOWN = { call: null, agent: null }

/** Returns the session of a subagent, with the call that began it, in a part of a message. */
function taskIn({ data }: Line) {
  // A text is long, and has no call.
  if (typeof data === 'string' && !data.includes('sessionId')) return []
  const { type, callID, state } = dataIn(data)
  const session = text(memberIn(memberIn(state, 'metadata'), 'sessionId'))
  if (type !== 'tool' || session === '') return []
  const agent = text(memberIn(memberIn(state, 'input'), 'subagent_type')) || null
  return [[session, { call: text(callID) || null, agent }] as const]
}

/** Returns a value that a row has as JSON. */
function dataIn(value: unknown): Line {
  return object(typeof value === 'string' ? jsonIn(value) : value)
}

class Reader {
  readonly seen: Observation[] = []
  readonly begins = { seen: 0 }
  readonly size = 0
  /** The time of the last observation of the reader that it was forked from. */
  #since = 0
  #input = 0

  fork(): Reader {
    const fork = new Reader()
    fork.begins.seen = this.seen.length
    fork.#since = this.seen.at(-1)?.at ?? this.#since
    fork.#input = this.#input
    return fork
  }

  add({ message: row, parts }: Message): void {
    const message = dataIn(row['data'])
    const at = readTime(row['time_created'], this.seen.at(-1)?.at ?? this.#since)
    if (message['role'] === 'user') return this.#user(parts, at)
    if (message['role'] !== 'assistant') return
    if (message['summary'] === true) this.seen.push({ type: 'compacted', tokens: this.#input, at })
    const own = parts.map(({ data }) => dataIn(data))
    // A message is a step, unless its parts say where steps begin.
    if (own.length > 0 && !own.some(({ type }) => type === 'step-start')) {
      this.seen.push({ type: 'request', at })
    }
    for (const part of own) this.#part(part, text(message['modelID']), at)
  }

  #user(parts: readonly Line[], at: number): void {
    const said = parts
      .map(({ data }) => dataIn(data))
      .filter(
        ({ type, synthetic, ignored }) => type === 'text' && synthetic !== true && ignored !== true,
      )
      .map((part) => text(part['text']))
    if (said.length === 0) return
    this.seen.push({ type: 'turn', text: said.join('\n\n'), at })
    for (const one of said) {
      const named = skillNamedIn(one)
      if (named !== null) this.seen.push({ type: 'loaded', ...named, call: null, at })
    }
  }

  #part(part: Line, model: string, at: number): void {
    switch (part['type']) {
      case 'step-start':
        this.seen.push({ type: 'request', at })
        return
      case 'text':
        this.seen.push({ type: 'said', text: text(part['text']), at })
        return
      case 'step-finish': {
        const { tokens } = part
        if (!isObject(tokens)) return
        const cached = number(memberIn(tokens['cache'], 'read'))
        const written = number(memberIn(tokens['cache'], 'write'))
        const reasoning = number(tokens['reasoning'])
        const input = number(tokens['input']) + cached + written
        // Earlier versions, which do not write a total, count the tokens of reasoning twice.
        const isApart = typeof tokens['total'] === 'number'
        const output = number(tokens['output']) + (isApart ? reasoning : 0)
        this.#input = input
        const usage = { input, cached, written, output, reasoning }
        this.seen.push({ type: 'answer', usage, ...(model !== '' && { model }), at })
        return
      }
      case 'tool':
        return this.#tool(part, at)
    }
  }

  #tool(part: Line, at: number): void {
    const [call, tool, state] = [
      text(part['callID']),
      toolNameIn(part['tool']),
      object(part['state']),
    ]
    if (tool === '') return
    const began = readTime(memberIn(state['time'], 'start'), at)
    const { input } = state
    const wanted = tool === 'skill' ? text(memberIn(input, 'name')) : ''
    this.seen.push({ type: 'call', call, tool, input, ...(wanted && { skill: wanted }), at: began })
    const ended = readTime(memberIn(state['time'], 'end'), began)
    if (state['status'] === 'error') {
      const said = text(state['error'])
      const outcome = REFUSED_BY_OPEN_CODE.test(said) ? 'refused' : 'failed'
      this.seen.push({ type: 'result', call, outcome, text: said, at: ended })
    }
    if (state['status'] !== 'completed') return
    const said = text(state['output'])
    this.seen.push({ type: 'result', call, outcome: 'ok', text: said, at: ended })
    const loaded = tool === 'skill' ? contentOfSkill(said) : null
    if (loaded) this.seen.push({ type: 'loaded', ...loaded, call, at: ended })
  }
}
