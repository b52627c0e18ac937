import type {
  ConversationChange,
  ConversationState,
  SentMessage,
  WithdrawnResult,
  WorkspaceMessage,
} from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { ConversationPart } from '../../../render/prompt/forms/write-prompt.ts'
import type { DefinitionRegistry } from '../../log/definition-registry.ts'
import type { ComparedConversation } from '../exposure/predict-change.ts'
import {
  compareConversation,
  type Counting,
  type SentConversation,
} from './compare-conversation.ts'
import {
  historyKey,
  type HistoryMessage,
  isPrefix,
  type StepMessage,
  type ToolChangeMessage,
} from './history-message.ts'
import { type KnownTexts, knownTexts, nextText, withMessages } from './next-text.ts'
import {
  type ConversationTools,
  nextToolChange,
  toolChangeMessage,
  validToolChanges,
  withoutOutdatedTools,
} from './next-tool-change.ts'
import {
  findPlaces,
  hasToolChange,
  hostMessages,
  type PlaceableMessage,
  placeBefore,
  type PlacedMessage,
  placeMessages,
  type ReadHistory,
  settleToolChanges,
} from './place-messages.ts'
import { keepText, restoreTexts, textKey } from './keep-text.ts'
import { type KeptHistory, type TrimOptions, trimHistory, WHOLE_HISTORY } from './trim-history.ts'
import { areSameResults, type Withdrawal, withoutWithdrawn } from './withdraw-texts.ts'

/** The host's history with the workspace's earlier messages in their places, before a step adds to it. */
export interface OpenConversation extends ReadHistory {
  readonly kept: KeptHistory
  readonly placed: readonly PlacedMessage[]
  /** Each message of the workspace is after the very one that it was sent after, and not after an equal one. */
  readonly isExact: boolean
  readonly texts: KnownTexts
  /** The conversation of an earlier request with this history. */
  readonly before: LatestConversation | undefined
  /** Numbers of the messages of the workspace that no later request has. */
  readonly lost: readonly number[]
  /** The results that are withdrawn from it. */
  readonly withdrawn: readonly WithdrawnResult[]
}

/** The latest conversation for a history. The next one mostly begins with it. */
interface LatestConversation extends SentConversation, ReadHistory {
  readonly kept: KeptHistory
  /** The messages of the workspace, once the step is in the state. */
  readonly ours: readonly WorkspaceMessage[]
  readonly messages: readonly StepMessage[]
  readonly texts: KnownTexts
  readonly withdrawn: readonly WithdrawnResult[]
  readonly changesAnywhere: boolean
  /** False when the next conversation may have its messages in other places, or others of them. */
  readonly isSettled: boolean
}

/** Those of a workspace, by the first message: they last no longer than the host keeps that. */
const latest = new WeakMap<DefinitionRegistry, WeakMap<HistoryMessage, LatestConversation>>()

/** Looks up the texts and definitions of a conversation, and counts their tokens. */
export interface ConversationParts extends Counting {
  readonly definitions: DefinitionRegistry
  readonly scopes: readonly VariableScope[]
  /** The provider takes changes of tools anywhere. */
  readonly changesAnywhere: boolean
}

/** Opens the conversation of a request: everything that earlier requests had, in its place. */
export async function openConversation(
  state: WorkspaceState,
  history: readonly HistoryMessage[],
  trim: TrimOptions | undefined,
  parts: ConversationParts,
): Promise<OpenConversation> {
  const { ours } = state.conversation
  const before = latestOf(history, parts)
  const host = hostMessages(history, before)
  const keys = new Set(host.map(({ key }) => key))
  const withdrawn = (state.conversation.withdrawn ?? []).filter(({ message }) => keys.has(message))
  const read = { given: [...history], host, withdrawn }
  const kept = trim ? trimHistory(history, trim) : WHOLE_HISTORY
  const { changesAnywhere } = parts
  if (before && isContinued(before, { host, kept, ours, withdrawn, changesAnywhere })) {
    const more = withoutWithdrawn(host.slice(before.host.length), withdrawn)
    const placed = settleToolChanges([...before.placed, ...more], ours, parts)
    const texts = withMessages(before.texts, more)
    return { ...read, kept, placed, isExact: true, texts, before, lost: [] }
  }
  const { found, isExact, lost } = findPlaces(host, ours, kept)
  const restored = await restoreTexts(found, parts)
  const textless = found.flatMap(({ message, number }) =>
    message.kind === 'text' && !restored.has(message.key) ? number : [],
  )
  const all = settleToolChanges(placeMessages(host, kept, found, restored), ours, parts)
  const placed = withoutWithdrawn(all, withdrawn)
  const texts = knownTexts(ours, placed)
  return { ...read, kept, placed, isExact, texts, before, lost: [...lost, ...textless] }
}

/** Returns a conversation from which more texts are withdrawn. */
export function withdrawFrom(
  opened: OpenConversation,
  { ours }: ConversationState,
  { results, texts }: Withdrawal,
): OpenConversation {
  const left = opened.placed.filter((one) => one.kind === 'history' || !texts.has(one.message))
  const withdrawn = [...opened.withdrawn, ...results]
  const placed = withoutWithdrawn(left, withdrawn)
  const numbers = ours.flatMap((message, number) => (texts.has(message) ? number : []))
  const lost = [...new Set([...opened.lost, ...numbers])]
  return { ...opened, placed, lost, withdrawn, texts: knownTexts(withoutLost(ours, lost), placed) }
}

function latestOf(
  [first]: readonly HistoryMessage[],
  { definitions }: ConversationParts,
): LatestConversation | undefined {
  return first && latest.get(definitions)?.get(first)
}

function setLatest(conversation: LatestConversation, { definitions }: ConversationParts): void {
  const [first] = conversation.given
  if (first === undefined) return
  const own = latest.get(definitions) ?? new WeakMap<HistoryMessage, LatestConversation>()
  latest.set(definitions, own.set(first, conversation))
}

/** Returns true when a request has everything of an earlier one, and only messages of the host after it. */
function isContinued(
  before: LatestConversation,
  now: Pick<LatestConversation, 'host' | 'kept' | 'ours' | 'withdrawn' | 'changesAnywhere'>,
): boolean {
  const { host, kept, ours } = now
  const last = before.host.length - 1
  return (
    before.isSettled &&
    now.changesAnywhere === before.changesAnywhere &&
    // A message keeps its object for as long as all before it are the same.
    host[last] === before.host[last] &&
    kept.from === before.kept.from &&
    kept.opening === before.kept.opening &&
    ours.length === before.ours.length &&
    isPrefix(ours, before.ours) &&
    // A preview may have withdrawn more than the step before.
    areSameResults(now.withdrawn, before.withdrawn)
  )
}

/** The conversation of one request. */
export interface PlannedConversation {
  readonly messages: readonly StepMessage[]
  /** The change of tools at this step. */
  readonly tools: ToolChangeMessage
  /** For the log. */
  readonly change: ConversationChange
  /** For the price. */
  readonly compared: ComparedConversation
  /** Tokens of the host's own messages. */
  readonly hostTokens: number
  readonly placed: readonly PlacedMessage[]
}

/** The tools and texts of a step, which the history does not have. */
export interface StepOffer extends ConversationTools {
  /** The current text of the workspace. */
  readonly parts: readonly ConversationPart[]
  /** Returns the same with the names of variables instead of their values. */
  named(): readonly ConversationPart[]
}

/** Adds the messages of a step to a conversation, and compares it with that of the request before. */
export function planConversation(
  state: WorkspaceState,
  opened: OpenConversation,
  offer: StepOffer,
  parts: ConversationParts,
): PlannedConversation {
  const { placed: current, lost } = withoutOutdatedTools(state, opened, offer)
  const hasChange = hasToolChange(state.conversation.ours)
  const before = hasChange ? validToolChanges(offer.exposed, current) : current
  const { sent } = state.conversation
  const { host } = opened
  const isContinued = host.at(-1)?.message.continues === true
  const text = isContinued ? null : nextText(offer.parts, opened.texts, state)
  const tools = isContinued ? null : nextToolChange(offer, hasChange ? before : [])
  const added: PlacedMessage[] = []
  const end = text || tools ? placeBefore(host.length, host) : null
  let placed = before
  if (text !== null) {
    const at = textIndex(before, sent)
    const next = before[at]
    const after = next?.kind === 'history' ? placeBefore(next.index, host) : end
    const stored = keepText(text.text, text.write(offer.named()), parts)
    const textParts = text.parts.map(({ id, title, hash, text: own }) => {
      return { id, title, hash, tokens: parts.counter.count(own) }
    })
    const message: PlaceableMessage = {
      kind: 'text',
      after,
      key: textKey(text.text),
      ...(stored && { text: stored }),
      parts: textParts,
      gone: text.gone,
    }
    const one: PlacedMessage = { kind: 'ours', message, text: text.text }
    added.push(one)
    placed = placed.toSpliced(at, 0, one)
  }
  if (tools !== null) {
    const one: PlacedMessage = {
      kind: 'ours',
      message: { kind: 'tools', after: end, ...tools },
      text: '',
    }
    added.push(one)
    placed = [...placed, one]
  }
  const ours = added.flatMap((one): WorkspaceMessage[] =>
    one.kind === 'ours' ? [one.message] : [],
  )
  const complete = settleToolChanges(placed, [...state.conversation.ours, ...ours], parts)
  const known = opened.before
  const begins = known && isPrefix(known.placed, complete) ? known : null
  const { compared, now } = compareConversation(complete, offer.exposed, sent, begins, parts)
  const { kept } = compared
  const more = complete.slice(begins?.messages.length ?? 0).map((one) => stepMessage(one, parts))
  const messages = [...(begins?.messages ?? []), ...more]
  const next = {
    ...now,
    given: opened.given,
    host,
    kept: opened.kept,
    ours: [...withoutLost(state.conversation.ours, lost), ...ours],
    messages,
    texts: withMessages(opened.texts, added),
    withdrawn: opened.withdrawn,
    changesAnywhere: parts.changesAnywhere,
    isSettled: opened.isExact && before.length === current.length && isPrefix(before, current),
  }
  setLatest(next, parts)
  return {
    messages,
    tools: toolChangeMessage(tools, parts),
    change: {
      kept,
      sent: now.sent.slice(kept),
      ...(lost.length > 0 && { lost }),
      ...(ours.length > 0 && { added: ours }),
      history: historyKey(opened.host.map(({ message }) => message)),
      ...(!areSameResults(opened.withdrawn, state.conversation.withdrawn ?? []) && {
        withdrawn: opened.withdrawn,
      }),
    },
    compared,
    hostTokens: now.hostTokens,
    placed: complete,
  }
}

function withoutLost(
  ours: readonly WorkspaceMessage[],
  lost: readonly number[],
): readonly WorkspaceMessage[] {
  if (lost.length === 0) return ours
  const numbers = new Set(lost)
  return ours.filter((_, number) => !numbers.has(number))
}

/** Returns the index for a new text: before a message of the user that was never sent, else the end. */
function textIndex(placed: readonly PlacedMessage[], sent: readonly SentMessage[] | null): number {
  const last = placed.at(-1)
  if (last?.kind !== 'history' || last.message.role !== 'user') return placed.length
  const wasSent = sent !== null && sent.slice(placed.length - 1).some(([one]) => one === last.key)
  return wasSent ? placed.length : placed.length - 1
}

const textMessages = new WeakMap<PlaceableMessage, StepMessage>()

/** Returns a message to send. A text is the same object at each step of a process. */
function stepMessage(one: PlacedMessage, parts: ConversationParts): StepMessage {
  if (one.kind === 'history') {
    const { index, reduced } = one
    return { kind: 'history', index, ...(reduced && { withdrawn: reduced.withdrawn }) }
  }
  const { message } = one
  if (message.kind === 'tools') return toolChangeMessage(message, parts)
  const known = textMessages.get(message)
  if (known !== undefined) return known
  const made: StepMessage = { kind: 'text', text: one.text }
  textMessages.set(message, made)
  return made
}
