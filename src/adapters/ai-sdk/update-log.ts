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
import type { VirtualWorkspace, WorkspaceLook } from '../../workspace/virtual-workspace.ts'

/**
 * The updates of a session's conversation, in the order they were sent.
 *
 * They are derived from the log: each step's entry has the hashes of its sections, the state at
 * that entry gives their texts, and the host's history has the messages around them. So the updates
 * of another process can be computed again; what is stored here only saves that work.
 */
export class UpdateLog {
  readonly #workspace: VirtualWorkspace
  readonly #request: PromptRequest
  readonly #trim: TrimOptions | undefined
  #updates: WorkspaceUpdate[] = []
  #summarised: readonly ConversationPart[] = []
  /** Entries of this process's steps that were not read from the log yet. */
  readonly #own = new Set<number>()
  #read = 0
  #turn = 0
  #isFirstOfTurn = false
  #calls = new Set<string>()
  /** The parts and state of the last recomputed step, and the hashes they belong to. */
  #lastSent: (Pick<UpdateRequest, 'parts' | 'state'> & { readonly of: string }) | null = null
  /** The request of that step, and how much of the history is in it. */
  #lastRequest: { readonly messages: readonly ModelMessage[]; readonly end: number } | null = null

  constructor(workspace: VirtualWorkspace, request: PromptRequest, trim: TrimOptions | undefined) {
    this.#workspace = workspace
    this.#request = request
    this.#trim = trim
  }

  /**
   * Returns the messages of a request: the host's history with the updates in their places,
   * trimmed. An update without a place in the history is forgotten: the host removed that part of
   * it.
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

  /** Adds the update of a step of this process, recorded under its entry. */
  record(
    seq: number,
    messages: readonly ModelMessage[],
    parts: readonly ConversationPart[],
  ): ModelMessage[] {
    const { state } = this.#workspace
    this.#own.add(seq)
    return this.#add({ messages, parts, state, turn: state.turn })
  }

  /** Reads new entries of the log: steps of other processes, and summaries. The session is folded once. */
  async catchUp(history: readonly ModelMessage[]): Promise<void> {
    const entries = await this.#workspace.entries(this.#read)
    const past: Past = { history, results: resultIndexes(history), entries, then: null }
    for (const entry of entries) await this.#follow(entry, past)
    this.#read = (entries.at(-1)?.seq ?? this.#read - 1) + 1
  }

  async #follow({ seq, cause, event }: Entry, past: Past): Promise<void> {
    if (cause.by === 'model') this.#calls.add(cause.call)
    if (event.type === 'turn.begun') {
      this.#turn = event.turn
      this.#isFirstOfTurn = true
    } else if (event.type === 'session.compacted') {
      this.#updates = []
      this.#summarised = (await this.#sentAt(seq, event.sections, past))?.parts ?? []
      this.#lastRequest = null
    } else if (event.type === 'step.begun') {
      if (this.#own.delete(seq)) this.#lastRequest = null
      else await this.#replayStep(seq, event.sections, past)
      this.#isFirstOfTurn = false
      this.#calls = new Set()
    }
  }

  /**
   * Recomputes the update of a step. A step whose place in the history is gone, or whose texts
   * cannot be computed any more, is left out.
   */
  async #replayStep(seq: number, sent: readonly SentSection[], past: Past): Promise<void> {
    const { history } = past
    const end = this.#endOfStep(past)
    const sentThen = end === null ? null : await this.#sentAt(seq, sent, past)
    if (end === null || sentThen === null) {
      this.#lastRequest = null
      return
    }
    const previous = this.#isFirstOfTurn ? null : this.#lastRequest
    const untrimmed =
      previous === null
        ? placeUpdates(history.slice(0, end), this.#updates, this.#turn)
        : [...previous.messages, ...history.slice(previous.end, end)]
    const messages = this.trim(untrimmed)
    this.#lastRequest = { messages: this.#add({ ...sentThen, messages, turn: this.#turn }), end }
  }

  /**
   * Returns the end of a step's history: after the user's message, or after the results before the
   * step.
   */
  #endOfStep({ history, results }: Past): number | null {
    if (this.#isFirstOfTurn) {
      const users = userIndexes(history, this.#updates)
      const user = users.at(this.#turn - this.#workspace.state.turn - 1)
      return user === undefined ? null : user + 1
    }
    const ends = [...this.#calls].flatMap((call) => results.get(call) ?? [])
    return ends.length === 0 ? null : Math.max(...ends) + 1
  }

  async #sentAt(
    seq: number,
    sent: readonly SentSection[],
    past: Past,
  ): Promise<Pick<UpdateRequest, 'parts' | 'state'> | null> {
    const of = JSON.stringify(sent)
    if (this.#lastSent?.of === of) return this.#lastSent
    const { format = 'markdown' } = this.#request
    const then = await this.#lookAt(seq, past)
    const { document } = then.prompt(this.#request)
    const hashes = new Map(sent.map(({ id, hash }) => [id, hash]))
    const isSame = document.sections.every(
      (section) =>
        section.placement !== 'conversation' ||
        hashes.get(section.id) === sectionHash(section, format),
    )
    if (!isSame) return null
    this.#lastSent = { parts: conversationParts(document, format), state: then.state, of }
    return this.#lastSent
  }

  /** Returns the session after an entry: opened for the first one, and moved on for later ones. */
  async #lookAt(seq: number, past: Past): Promise<WorkspaceLook> {
    if (past.then === null) {
      past.then = await this.#workspace.look(seq)
    } else {
      const [{ seq: first } = { seq: 0 }] = past.entries
      await past.then.forward(past.entries.slice(past.then.state.seq + 1 - first, seq + 1 - first))
    }
    return past.then
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

/** The entries that are caught up with, and the history that they belong to. */
interface Past {
  readonly history: readonly ModelMessage[]
  /** The indexes of its results, by call. */
  readonly results: ReadonlyMap<string, number>
  readonly entries: readonly Entry[]
  /** The session after the last entry that was looked at; null before the first. */
  then: WorkspaceLook | null
}

/**
 * Puts the updates of earlier steps back in their places.
 *
 * A host stores its user's messages and the model's answers, but no message between them. Without
 * the updates in their old places, the next turn's request would not begin with this one's. An
 * update whose place is gone is left out, and its content is sent again at the end.
 *
 * @param turn the turn that the last message of the user began
 */
function placeUpdates(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
  turn: number,
): ModelMessage[] {
  const present = new Set(findUpdates(messages, updates))
  const missing = updates.filter((update) => !present.has(update))
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

/**
 * Returns the index before which an update belongs; -1 when its place is not among the messages.
 */
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

/** Returns the indexes of the messages that the user wrote. */
function userIndexes(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
): readonly number[] {
  const texts = new Set<unknown>(updates.map(({ text }) => text))
  return messages.flatMap(({ role, content }, index) =>
    role === 'user' && !texts.has(content) ? index : [],
  )
}

/** Returns the indexes of the results, by call. */
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
