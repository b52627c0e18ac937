import type { ModelMessage } from 'ai'
import { type ConversationPart, conversationParts } from './conversation-parts.ts'
import {
  type Anchor,
  findUpdates,
  nextUpdate,
  updateMessage,
  type UpdateRequest,
  withUpdate,
  type WorkspaceUpdate,
} from './next-update.ts'
import { trimMessages, type TrimOptions } from './trim-messages.ts'
import type { Entry, SentSection } from '../../engine/model/workspace-event.ts'
import { sectionHash } from '../../render/prompt/forms/write-prompt.ts'
import type { PromptRequest } from '../../workspace/offer/workspace-document.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/**
 * The messages of ours that a session's conversation has, in the order they were sent.
 *
 * The log is where they come from: each step's entry has the hashes of its sections, the session
 * as it was then has their texts, and the host's history has the messages they stood among. So a
 * step of another process is done again, and what is kept here only spares that.
 */
export class UpdateLog {
  readonly #workspace: VirtualWorkspace
  readonly #request: PromptRequest
  readonly #trim: TrimOptions | undefined
  #updates: WorkspaceUpdate[] = []
  #summarised: readonly ConversationPart[] = []
  /** Steps of this process that the log was not read up to yet, by entry. */
  readonly #own = new Set<number>()
  #read = 0
  #turn = 0
  #isFirstOfTurn = false
  #calls = new Set<string>()
  /** What the last step that was done again could tell, and the hashes it was of. */
  #told: (Pick<UpdateRequest, 'parts' | 'state'> & { readonly of: string }) | null = null
  /** The request of that step, and how much of the history is in it. */
  #carried: { readonly messages: readonly ModelMessage[]; readonly end: number } | null = null

  constructor(workspace: VirtualWorkspace, request: PromptRequest, trim: TrimOptions | undefined) {
    this.#workspace = workspace
    this.#request = request
    this.#trim = trim
  }

  /**
   * The messages of a request by the host's history, ours in their places, and trimmed. What has no
   * place in the history is forgotten: the host gave up that part of it.
   */
  place(history: readonly ModelMessage[]): readonly ModelMessage[] {
    const placed = placeUpdates(history, this.#updates, this.#workspace.state.turn)
    this.#updates = [...findUpdates(placed, this.#updates)]
    return this.trim(placed)
  }

  trim(messages: readonly ModelMessage[]): readonly ModelMessage[] {
    if (this.#trim === undefined) return messages
    return trimMessages(messages, this.#trim, (message) => this.#isOurs(message))
  }

  /** What a step of this process has to tell, noted under its entry. */
  tell(
    seq: number,
    messages: readonly ModelMessage[],
    parts: readonly ConversationPart[],
  ): ModelMessage[] {
    const { state } = this.#workspace
    this.#own.add(seq)
    return this.#add({ messages, parts, state, turn: state.turn })
  }

  /** Take up what the log has since the last time: steps of other processes, and summaries. */
  async catchUp(history: readonly ModelMessage[]): Promise<void> {
    const entries = await this.#workspace.entries(this.#read)
    for (const entry of entries) await this.#follow(entry, history)
    this.#read = (entries.at(-1)?.seq ?? this.#read - 1) + 1
  }

  async #follow({ seq, cause, event }: Entry, history: readonly ModelMessage[]): Promise<void> {
    if (cause.by === 'model') this.#calls.add(cause.call)
    if (event.type === 'turn.begun') {
      this.#turn = event.turn
      this.#isFirstOfTurn = true
    } else if (event.type === 'session.compacted') {
      this.#updates = []
      this.#summarised = (await this.#toldAt(seq, event.sections))?.parts ?? []
      this.#carried = null
    } else if (event.type === 'step.begun') {
      if (this.#own.delete(seq)) this.#carried = null
      else await this.#doAgain(seq, event.sections, history)
      this.#isFirstOfTurn = false
      this.#calls = new Set()
    }
  }

  /** A step whose place in the history is gone, or that told what cannot be told again, is left out. */
  async #doAgain(
    seq: number,
    sent: readonly SentSection[],
    history: readonly ModelMessage[],
  ): Promise<void> {
    const end = this.#endOfStep(history)
    const told = await this.#toldAt(seq, sent)
    if (end === null || told === null) {
      this.#carried = null
      return
    }
    const carried = this.#isFirstOfTurn ? null : this.#carried
    const untrimmed =
      carried === null
        ? placeUpdates(history.slice(0, end), this.#updates, this.#turn)
        : [...carried.messages, ...history.slice(carried.end, end)]
    const messages = this.trim(untrimmed)
    this.#carried = { messages: this.#add({ ...told, messages, turn: this.#turn }), end }
  }

  /** Where the history of a step ended: with the user's message, or the results before it. */
  #endOfStep(history: readonly ModelMessage[]): number | null {
    if (this.#isFirstOfTurn) {
      const users = userIndexes(history, this.#updates)
      const user = users.at(this.#turn - this.#workspace.state.turn - 1)
      return user === undefined ? null : user + 1
    }
    const results = resultIndexes(history)
    const ends = [...this.#calls].flatMap((call) => results.get(call) ?? [])
    return ends.length === 0 ? null : Math.max(...ends) + 1
  }

  async #toldAt(
    seq: number,
    sent: readonly SentSection[],
  ): Promise<Pick<UpdateRequest, 'parts' | 'state'> | null> {
    const of = JSON.stringify(sent)
    if (this.#told?.of === of) return this.#told
    const { format = 'markdown' } = this.#request
    const then = await this.#workspace.look(seq)
    const { document } = then.prompt(this.#request)
    const hashes = new Map(sent.map(({ id, hash }) => [id, hash]))
    const isSame = document.sections.every(
      (section) =>
        section.placement !== 'conversation' ||
        hashes.get(section.id) === sectionHash(section, format),
    )
    if (!isSame) return null
    this.#told = { parts: conversationParts(document, format), state: then.state, of }
    return this.#told
  }

  #add(request: Omit<UpdateRequest, 'updates' | 'summarised'>): ModelMessage[] {
    const update = nextUpdate({
      ...request,
      updates: this.#updates,
      summarised: this.#summarised,
    })
    if (update !== null) this.#updates.push(update)
    return withUpdate(request.messages, update)
  }

  #isOurs({ role, content }: ModelMessage): boolean {
    return role === 'user' && this.#updates.some(({ text }) => text === content)
  }
}

/**
 * Put the updates of earlier steps back where they stood.
 *
 * A host keeps its user's messages and the model's answers, and no message that was put between
 * them; without ours in their old places, the next turn's request would not begin with this one's.
 * An update whose place is gone is left out, and what it said is told again at the end.
 *
 * @param turn the turn that the last message of the user began
 */
function placeUpdates(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
  turn: number,
): ModelMessage[] {
  const present = findUpdates(messages, updates)
  const missing = updates.filter((update) => !present.includes(update))
  if (missing.length === 0) return [...messages]
  const users = userIndexes(messages, updates)
  const results = resultIndexes(messages)
  const before = Map.groupBy(missing, ({ anchor }) => indexOfAnchor(anchor, users, results, turn))
  return messages.flatMap((message, index) => [
    ...(before.get(index) ?? []).map(updateMessage),
    message,
    ...(index === messages.length - 1 ? (before.get(index + 1) ?? []).map(updateMessage) : []),
  ])
}

/** The index an update stands before; -1 when its place is not among the messages. */
function indexOfAnchor(
  anchor: Anchor | null,
  users: readonly number[],
  results: ReadonlyMap<string, number>,
  turn: number,
): number {
  if (anchor === null) return -1
  switch (anchor.before) {
    case 'turn':
      return users.at(anchor.turn - turn - 1) ?? -1
    case 'answer': {
      const places = anchor.calls.flatMap((call) => results.get(call) ?? [])
      return places.length === 0 ? -1 : Math.max(...places) + 1
    }
  }
}

/** The places of the messages that the user wrote. */
function userIndexes(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
): readonly number[] {
  const texts = new Set<unknown>(updates.map(({ text }) => text))
  return messages.flatMap(({ role, content }, index) =>
    role === 'user' && !texts.has(content) ? index : [],
  )
}

/** The places of the results, by call. */
function resultIndexes(messages: readonly ModelMessage[]): ReadonlyMap<string, number> {
  return new Map(
    messages.flatMap((message, index) =>
      message.role !== 'tool'
        ? []
        : message.content.flatMap((part) =>
            part.type === 'tool-result' ? [[part.toolCallId, index] as const] : [],
          ),
    ),
  )
}
