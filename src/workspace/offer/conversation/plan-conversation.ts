import type {
  ConversationChange,
  SentMessage,
  WorkspaceMessage,
} from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { ConversationPart } from '../../../render/prompt/forms/write-prompt.ts'
import type { DefinitionRegistry } from '../../log/definition-registry.ts'
import type { ComparedConversation } from '../exposure/predict-change.ts'
import { compareConversation, type Counting } from './compare-conversation.ts'
import {
  historyKey,
  type HistoryMessage,
  type StepMessage,
  type ToolChangeMessage,
} from './history-message.ts'
import { nextText } from './next-text.ts'
import {
  type ConversationTools,
  nextToolChange,
  toolChangeMessage,
  validToolChanges,
  withoutOutdatedTools,
} from './next-tool-change.ts'
import {
  findPlaces,
  type HostMessage,
  hostMessages,
  type PlaceableMessage,
  placeBefore,
  type PlacedMessage,
  placeMessages,
  settleToolChanges,
} from './place-messages.ts'
import { keepText, restoreTexts, textKey } from './keep-text.ts'
import { type TrimOptions, trimHistory, WHOLE_HISTORY } from './trim-history.ts'

/** The host's history with the workspace's earlier messages in their places, before a step adds to it. */
export interface OpenConversation {
  readonly host: readonly HostMessage[]
  readonly placed: readonly PlacedMessage[]
  /** Numbers of the messages of the workspace that no later request has. */
  readonly lost: readonly number[]
}

/** Looks up the texts and definitions of a conversation, and counts their tokens. */
export interface ConversationParts extends Counting {
  readonly definitions: DefinitionRegistry
  readonly scopes: readonly VariableScope[]
}

/** Opens the conversation of a request: everything that earlier requests had, in its place. */
export async function openConversation(
  state: WorkspaceState,
  history: readonly HistoryMessage[],
  trim: TrimOptions | undefined,
  parts: ConversationParts,
): Promise<OpenConversation> {
  const { ours } = state.conversation
  const host = hostMessages(history)
  const kept = trim ? trimHistory(history, trim) : WHOLE_HISTORY
  const { found, lost } = findPlaces(host, ours, kept)
  const texts = await restoreTexts(found, parts)
  const textless = found.flatMap(({ message, number }) =>
    message.kind === 'text' && !texts.has(message.key) ? number : [],
  )
  return { host, placed: placeMessages(host, kept, found, texts), lost: [...lost, ...textless] }
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
  const before = validToolChanges(offer.exposed, current)
  const { sent } = state.conversation
  const { host } = opened
  const isContinued = host.at(-1)?.message.continues === true
  const text = isContinued ? null : nextText(offer.parts, { placed: before, state })
  const tools = isContinued ? null : nextToolChange(offer, before)
  const added: PlacedMessage[] = []
  const end = text || tools ? placeBefore(host.length, host) : null
  let placed = before
  if (text !== null) {
    const at = textIndex(before, sent)
    const next = before[at]
    const after = next?.kind === 'history' ? placeBefore(next.index, host) : end
    const stored = keepText(text.text, text.write(offer.named()), parts)
    const { parts: textParts, gone } = text
    const message: PlaceableMessage = {
      kind: 'text',
      after,
      key: textKey(text.text),
      ...(stored && { text: stored }),
      parts: textParts,
      gone,
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
  const complete = settleToolChanges(placed)
  const { compared, fresh } = compareConversation(complete, offer.exposed, sent, parts)
  const { kept } = compared
  const ours = added.flatMap((one): WorkspaceMessage[] =>
    one.kind === 'ours' ? [one.message] : [],
  )
  const tokensAt = (index: number) => sent?.[index]?.[1] ?? 0
  return {
    messages: complete.map((one) => stepMessage(one, parts)),
    tools: toolChangeMessage(tools, parts),
    change: {
      kept,
      sent: fresh.map(({ key, tokens }): SentMessage => [key, tokens]),
      ...(lost.length > 0 && { lost }),
      ...(ours.length > 0 && { added: ours }),
      history: historyKey(opened.host.map(({ message }) => message)),
    },
    compared,
    hostTokens: complete.reduce((sum, { kind }, index) => {
      if (kind !== 'history') return sum
      return sum + (index < kept ? tokensAt(index) : (fresh[index - kept]?.tokens ?? 0))
    }, 0),
  }
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
  if (one.kind === 'history') return { kind: 'history', index: one.index }
  const { message } = one
  if (message.kind === 'tools') return toolChangeMessage(message, parts)
  const known = textMessages.get(message)
  if (known !== undefined) return known
  const made: StepMessage = { kind: 'text', text: one.text }
  textMessages.set(message, made)
  return made
}
