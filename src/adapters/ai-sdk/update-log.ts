import type { ModelMessage } from 'ai'
import type { Entry } from '../../engine/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { sectionHash } from '../../render/prompt/section-hash.ts'
import type { PromptRequest } from '../../workspace/prompt-request.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { conversationParts } from './conversation-parts.ts'
import { partsToTell } from './parts-to-tell.ts'
import { toldSkills } from './told-skills.ts'
import { hadParts, updateFor, type Anchor, type WorkspaceUpdate } from './workspace-update.ts'

/**
 * The messages of ours that a session's conversation has, in the order they were sent.
 *
 * The log is where they come from: each step's entry has the hashes of its sections, and the
 * session as it was then has their texts. What is kept here spares reading it again.
 */
export class UpdateLog {
  readonly #workspace: VirtualWorkspace
  readonly #request: PromptRequest
  #updates: WorkspaceUpdate[] = []
  #summarised: ReadonlyMap<string, ContentHash> = new Map()
  /** Steps whose update is known, by entry. */
  readonly #known = new Set<number>()
  #read = 0
  #turn = 0
  #isFirstOfTurn = false
  #calls = new Set<string>()
  readonly #past = new Set<string>()
  #sections = ''

  constructor(workspace: VirtualWorkspace, request: PromptRequest) {
    this.#workspace = workspace
    this.#request = request
  }

  get updates(): readonly WorkspaceUpdate[] {
    return this.#updates
  }

  /** Sections that a summary of the history holds, and their hashes. */
  get summarised(): ReadonlyMap<string, ContentHash> {
    return this.#summarised
  }

  /** Whether a message is one of ours. */
  readonly isOurs = ({ role, content }: ModelMessage): boolean =>
    role === 'user' && this.#updates.some(({ text }) => text === content)

  /** A step of this process, and what it sent; null when it had nothing to say. */
  note(seq: number, update: WorkspaceUpdate | null): void {
    this.#known.add(seq)
    if (update !== null) this.#updates.push(update)
  }

  /** Take up what the log has since the last time: steps of other processes, and summaries. */
  async catchUp(messages: readonly ModelMessage[]): Promise<void> {
    const entries = await this.#workspace.entries(this.#read)
    for (const entry of entries) await this.#follow(entry, messages)
    this.#read = (entries.at(-1)?.seq ?? this.#read - 1) + 1
  }

  async #follow({ seq, cause, event }: Entry, messages: readonly ModelMessage[]): Promise<void> {
    if (cause.by === 'model') {
      this.#calls.add(cause.call)
      this.#past.add(cause.call)
    }
    switch (event.type) {
      case 'turn.begun':
        this.#turn = event.turn
        this.#isFirstOfTurn = true
        return
      case 'session.compacted':
        this.#updates = []
        this.#summarised = new Map(event.sections.map(({ id, hash }) => [id, hash]))
        this.#sections = ''
        return
      case 'step.begun': {
        const anchor = this.#anchor()
        this.#isFirstOfTurn = false
        this.#calls = new Set()
        const sections = JSON.stringify(event.sections)
        const hasChanged = sections !== this.#sections
        this.#sections = sections
        if (this.#known.delete(seq) || !hasChanged) return
        const update = await this.#updateAt(seq, event.sections, messages)
        if (update !== null) this.#updates.push({ ...update, anchor })
        return
      }
    }
  }

  #anchor(): Anchor | null {
    if (this.#isFirstOfTurn) return { before: 'turn', turn: this.#turn }
    return this.#calls.size === 0 ? null : { before: 'answer', calls: [...this.#calls] }
  }

  /** What a step sent, made again; null when it said nothing, or would now say it otherwise. */
  async #updateAt(
    seq: number,
    sent: readonly { readonly id: string; readonly hash: ContentHash }[],
    messages: readonly ModelMessage[],
  ): Promise<Pick<WorkspaceUpdate, 'text' | 'parts' | 'gone'> | null> {
    const then = await this.#workspace.look(seq)
    const { format = 'markdown' } = this.#request
    const { document } = then.prompt(this.#request)
    const hashes = new Map(sent.map(({ id, hash }) => [id, hash]))
    const isSame = document.sections.every(
      (section) =>
        section.placement !== 'conversation' ||
        hashes.get(section.id) === sectionHash(section, format),
    )
    if (!isSame) return null
    const told = toldSkills(messages, (call) => this.#past.has(call))
    const parts = partsToTell(conversationParts(document, format), then.state, told)
    return updateFor(parts, hadParts(this.#updates), this.#summarised)
  }
}
