import type { ModelMessage, ToolResultPart } from 'ai'
import type { ContentHash, Entry } from '../../../entries/index.ts'
import { formatCount } from '../../../entries/plan.ts'

/** The place of the text of a row. */
export type KeptText =
  /** In the log, under a hash. Where the log does not have it, `why` says so. */
  | { readonly kind: 'stored'; readonly hash: ContentHash; readonly why: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'none'; readonly why: string }

/** One part of a conversation: a request, a message, a call, or its result. */
export interface ConversationRow {
  readonly id: string
  readonly kind: 'person' | 'model' | 'host' | 'workspace' | 'step' | 'call' | 'result'
  /** The entry that it came with. */
  readonly seq: number
  /** The last request before it: those after it have it. */
  readonly after: number
  /** Words before its text, such as the name of a tool. */
  readonly title: string
  /** Its tokens by the log; null where its text says them. */
  readonly tokens: number | null
  /** True for a row whose tokens are among those of another row, or of the messages of the host. */
  readonly isInside: boolean
  readonly text: KeptText
  /** The message that it is a part of, and its place in it. */
  readonly part?: { readonly message: ModelMessage; readonly index: number }
  /** The id of its call. */
  readonly call?: string
  /** False for a call that failed. */
  readonly ok?: boolean
  /** The conversation begins here again: what was before is no longer in it. */
  readonly isSummary?: true
}

/** The texts of one call, of the model or of anybody else. */
export interface CallTexts {
  readonly tool: string
  readonly arguments: KeptText
  /** Null while it runs. */
  readonly result: KeptText | null
}

/** A conversation, and the texts of its calls by the entries that start and end them: a model may use an id twice. */
export interface ConversationTexts {
  readonly rows: readonly ConversationRow[]
  readonly calls: ReadonlyMap<number, CallTexts>
}

type EventOf<Type extends Entry['event']['type']> = Extract<Entry['event'], { readonly type: Type }>

const NOT_KEPT = {
  message: 'Not kept by the host: the log has no messages of its conversation.',
  arguments:
    'Not kept by the host: the log has the digest of the arguments alone. docs/approvals.md says how those of questions are kept.',
  result:
    'Not kept by the host: the log has no result of this call. docs/durable-steps.md says which are kept.',
  variables: 'Not kept: it has values of variables, which may be secret.',
  skill: 'The log does not have the text of the skill.',
}

/**
 * Returns the conversation of a session in its order, from its entries; with the messages that its host keeps, also their
 * texts.
 *
 * @param messages those of the conversation of this user; empty where they are not kept
 */
export function conversationRows(
  entries: readonly Entry[],
  messages: readonly ModelMessage[] = [],
): ConversationTexts {
  const [first] = entries
  const known = messages.length === 0 && first ? writers.get(first) : undefined
  const isBefore = known !== undefined && entries[known.length - 1] === known.last
  const { writer, length } = isBefore ? known : { writer: new RowWriter(messages), length: 0 }
  for (const entry of entries.slice(length)) writer.add(entry)
  const last = entries.at(-1)
  if (messages.length === 0 && first && last)
    writers.set(first, { writer, length: entries.length, last })
  return writer.end()
}

/** The rows of sessions without messages, by their first entries: later entries only add to them. */
const writers = new WeakMap<
  Entry,
  { readonly writer: RowWriter; readonly length: number; readonly last: Entry }
>()

class RowWriter {
  readonly #rows: ConversationRow[] = []
  readonly #messages: readonly ModelMessage[]
  /** The calls of the messages: their entries make no rows of their own. */
  readonly #known: ReadonlySet<string>
  /** The other calls of the model itself. */
  readonly #spoken = new Set<string>()
  readonly #calls = new Map<number, CallTexts>()
  /** The last call of each id. */
  readonly #open = new Map<string, { -readonly [Member in keyof CallTexts]: CallTexts[Member] }>()
  /** The arguments that questions keep, by their digest. */
  readonly #asked = new Map<ContentHash, unknown>()
  #next = 0
  #after = 0
  #seq = 0
  #isObserved = false

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages
    this.#known = new Set(messages.flatMap(callsIn))
  }

  add({ seq, event, cause }: Entry): void {
    this.#seq = seq
    switch (event.type) {
      case 'session.opened':
        this.#isObserved = event.observed !== undefined
        return
      case 'turn.begun':
        return this.#turn(event)
      case 'step.begun':
        return this.#step(event)
      case 'step.reported':
        for (const hash of event.said ?? [])
          this.#push('model', '', { kind: 'stored', hash, why: NOT_KEPT.message })
        return
      case 'confirmation.asked':
        if (event.arguments !== undefined) this.#asked.set(event.digest, event.arguments)
        return
      case 'call.started':
        return this.#call(event)
      case 'call.ended':
        return this.#result(event)
      case 'call.abandoned':
        return this.#plain('result', event.tool, 'No result: its process ended.', event.call)
      case 'command.refused':
        if (event.command === 'call.start' && cause.by === 'model')
          this.#plain('result', event.subject, `Refused: ${event.message}`, cause.call)
        return
      case 'source.opened':
        if (this.#isObserved && event.source === 'skill' && event.definition !== null)
          this.#push('workspace', `skill ${event.owner}`, {
            kind: 'stored',
            hash: event.definition,
            why: NOT_KEPT.skill,
          })
        return
      case 'session.compacted':
        return this.#compact(event)
      default:
    }
  }

  end(): ConversationTexts {
    while (this.#next < this.#messages.length) this.#message()
    return { rows: this.#rows, calls: this.#calls }
  }

  #push(
    kind: ConversationRow['kind'],
    title: string,
    text: KeptText,
    more: Partial<ConversationRow> = {},
  ): void {
    const id = `row/${this.#rows.length}`
    const own = { id, kind, title, text, seq: this.#seq, after: this.#after }
    this.#rows.push({ ...own, tokens: null, isInside: false, ...more })
  }

  #turn({ turn, said }: EventOf<'turn.begun'>): void {
    if (said !== undefined)
      return this.#push('person', '', { kind: 'stored', hash: said, why: NOT_KEPT.message })
    while (this.#next < this.#messages.length && !this.#isNext('user')) this.#message()
    if (this.#next < this.#messages.length) return this.#message()
    const why = { kind: 'none', why: NOT_KEPT.message } as const
    this.#push('person', `turn ${turn}`, why, { tokens: 0, isInside: true })
  }

  #step(event: EventOf<'step.begun'>): void {
    const { step, conversation } = event
    while (this.#next < this.#messages.length && !this.#isNext('assistant')) this.#message()
    const sent = new Map(conversation?.sent.map(([key, tokens]) => [key, tokens]))
    for (const one of conversation?.added ?? []) {
      if (one.kind !== 'text') continue
      const title = one.parts.map((part) => part.title).join(', ')
      const text: KeptText =
        one.text === undefined
          ? { kind: 'none', why: NOT_KEPT.variables }
          : { kind: 'stored', hash: one.text, why: NOT_KEPT.variables }
      this.#push('workspace', title, text, { tokens: sent.get(one.key) ?? null })
      sent.delete(one.key)
    }
    if (this.#messages.length === 0) {
      const text = { kind: 'none', why: NOT_KEPT.message } as const
      for (const tokens of sent.values()) this.#push('host', 'message', text, { tokens })
    }
    this.#after = step
    this.#push(
      'step',
      `step ${step}`,
      { kind: 'value', value: event },
      { tokens: 0, isInside: true },
    )
    if (this.#isNext('assistant')) this.#message()
  }

  #call({ call, tool, digest, asked, caller, within }: EventOf<'call.started'>): void {
    if (this.#known.has(call)) return this.#note(call)
    const kept = this.#asked.get(asked ?? digest)
    const text: KeptText =
      kept === undefined
        ? { kind: 'stored', hash: digest, why: NOT_KEPT.arguments }
        : { kind: 'value', value: kept }
    this.#open.set(call, { tool, arguments: text, result: null })
    this.#note(call)
    // The others are no part of the conversation.
    if (caller !== 'model' || within !== undefined) return
    this.#spoken.add(call)
    this.#push('call', tool, text, { call, isInside: !this.#isObserved })
  }

  /** Notes that the current entry is about a call. */
  #note(call: string): void {
    const texts = this.#open.get(call)
    if (texts !== undefined) this.#calls.set(this.#seq, texts)
  }

  #result({ call, tool, ok, stored, tokens, content, error }: EventOf<'call.ended'>): void {
    this.#note(call)
    if (this.#known.has(call)) return
    const parts = (content ?? []).map(
      ({ type, mediaType = '', bytes }) => `${type} ${mediaType}, ${formatCount(bytes)} bytes`,
    )
    const why = [NOT_KEPT.result, ...parts].join('\n')
    const text: KeptText =
      stored === undefined
        ? { kind: 'none', why: error === null ? why : `${why}\nIt failed: ${error}.` }
        : { kind: 'stored', hash: stored, why }
    const begun = this.#open.get(call)
    if (begun !== undefined) begun.result = text
    if (!this.#spoken.has(call)) return
    const counted = tokens === undefined ? {} : { tokens: tokens.result }
    this.#push('result', tool, text, { call, ok, isInside: !this.#isObserved, ...counted })
  }

  #plain(kind: 'result', tool: string, text: string, call: string | undefined): void {
    if (call !== undefined && this.#known.has(call)) return
    const more = { ok: false, isInside: true, ...(call !== undefined && { call }) }
    this.#push(kind, tool, { kind: 'value', value: text }, more)
  }

  #compact({ tokens }: EventOf<'session.compacted'>): void {
    const text = { kind: 'none', why: NOT_KEPT.message } as const
    this.#push('host', 'summary of what was before', text, { tokens, isSummary: true })
  }

  #isNext(role: ModelMessage['role']): boolean {
    return this.#messages[this.#next]?.role === role
  }

  /** Writes the rows of the next message: one for each of its parts. */
  #message(): void {
    const message = this.#messages[this.#next]
    this.#next += 1
    if (message === undefined) return
    const { role, content } = message
    const speaker = role === 'user' ? 'person' : role === 'assistant' ? 'model' : 'host'
    if (typeof content === 'string') {
      const text = { kind: 'value', value: content } as const
      return this.#push(speaker, '', text, { part: { message, index: 0 } })
    }
    for (const [index, part] of content.entries()) {
      const more = { part: { message, index } }
      if (part.type === 'tool-call') {
        const { input: value, toolCallId: call, toolName: tool } = part
        const text = { kind: 'value', value } as const
        this.#open.set(call, { tool, arguments: text, result: null })
        this.#push('call', tool, text, { ...more, call })
      } else if (part.type === 'tool-result') this.#addResult(part, more)
      else {
        const value = 'text' in part ? part.text : part
        const title = part.type === 'text' ? '' : part.type.replace(/^tool-/u, '')
        this.#push(speaker, title, { kind: 'value', value }, more)
      }
    }
  }

  /** Writes the row of a result in a message. */
  #addResult(part: ToolResultPart, more: Partial<ConversationRow>): void {
    const { output, toolCallId: call, toolName } = part
    const text = { kind: 'value', value: 'value' in output ? output.value : 'Denied.' } as const
    const ok = output.type === 'text' || output.type === 'json' || output.type === 'content'
    const begun = this.#open.get(call)
    if (begun !== undefined) begun.result = text
    this.#push('result', toolName, text, { ...more, call, ok })
  }
}

function callsIn({ content }: ModelMessage): readonly string[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}
