import type {
  ConversationChange,
  SentMessage,
  WorkspaceMessage,
} from '../../../engine/model/conversation-state.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { sentName } from '../../../engine/standing/sent-name.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { definitionTokens } from '../../../render/prompt/ledger/section-tokens.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../tools/provider-schema/provider-schema.ts'
import { estimateTokens } from '../../calls/end-call.ts'
import type { DefinitionRegistry } from '../../log/definition-registry.ts'
import type { RequestPart } from '../exposure/price-step.ts'
import type { ConversationPart } from './conversation-parts.ts'
import {
  type HistoryMessage,
  keyOf,
  messageKey,
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
  type PlaceableMessage,
  placeBefore,
  type PlacedMessage,
  placeMessages,
  settleToolChanges,
} from './place-messages.ts'
import { keepText, restoreTexts, textKey } from './keep-text.ts'
import { type TrimOptions, trimHistory } from './trim-history.ts'

/** The host's history with the workspace's earlier messages in their places, before a step adds to it. */
export interface OpenConversation {
  readonly history: readonly HistoryMessage[]
  readonly placed: readonly PlacedMessage[]
  readonly lost: readonly number[]
}

/** Looks up the texts and definitions of a conversation, and counts their tokens. */
export interface ConversationParts {
  readonly definitions: DefinitionRegistry
  readonly scopes: readonly VariableScope[]
  readonly counter: TokenCounter
  /** The provider whose rules for names hold. */
  readonly namesFor: Provider | undefined
  tool(hash: ContentHash): Tool | undefined
}

/** Opens the conversation of a request: everything that earlier requests had, in its place. */
export async function openConversation(
  state: WorkspaceState,
  history: readonly HistoryMessage[],
  trim: TrimOptions | undefined,
  parts: ConversationParts,
): Promise<OpenConversation> {
  const { ours } = state.conversation
  const texts = await restoreTexts(ours, parts)
  const { messages, lost } = placeMessages(history, ours, texts)
  const read = (one: PlacedMessage) => (one.kind === 'history' ? one.message : undefined)
  return { history, placed: trim ? trimHistory(messages, trim, read) : messages, lost }
}

/** The conversation of one request. */
export interface PlannedConversation {
  readonly messages: readonly StepMessage[]
  /** The change of tools at this step. */
  readonly tools: ToolChangeMessage
  /** For the log. */
  readonly change: ConversationChange
  /** For the price: one part a message. */
  readonly image: readonly RequestPart[]
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
  const isContinued = opened.history.at(-1)?.continues === true
  const text = isContinued ? null : nextText(offer.parts, { placed: before, state })
  const tools = isContinued ? null : nextToolChange(offer, before)
  const added: PlacedMessage[] = []
  const end = placeBefore(opened.history.length, opened.history)
  let placed = before
  if (text !== null) {
    const at = textIndex(before, sent)
    const next = before[at]
    const after = next?.kind === 'history' ? placeBefore(next.index, opened.history) : end
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
  const image = imageOf(complete, offer.exposed, sent ?? [], parts)
  const kept = sharedLength(sent ?? [], image)
  const ours = added.flatMap((one): WorkspaceMessage[] =>
    one.kind === 'ours' ? [one.message] : [],
  )
  return {
    messages: complete.map((one) => stepMessage(one, parts)),
    tools: toolChangeMessage(tools, parts),
    change: {
      kept,
      sent: image.slice(kept).map(({ key, tokens }): SentMessage => [key, tokens]),
      ...(lost.length > 0 && { lost }),
      ...(ours.length > 0 && { added: ours }),
    },
    image,
    hostTokens: complete.reduce(
      (sum, one, index) => sum + (one.kind === 'history' ? (image[index]?.tokens ?? 0) : 0),
      0,
    ),
  }
}

/** Returns the index for a new text: before a message of the user that was never sent, else the end. */
function textIndex(placed: readonly PlacedMessage[], sent: readonly SentMessage[] | null): number {
  const last = placed.at(-1)
  if (last?.kind !== 'history' || last.message.role !== 'user') return placed.length
  const key = messageKey(last.message)
  const wasSent = sent !== null && sent.slice(placed.length - 1).some(([one]) => one === key)
  return wasSent ? placed.length : placed.length - 1
}

/** Returns the conversation as a prompt cache compares it: one part a message. */
function imageOf(
  placed: readonly PlacedMessage[],
  exposed: readonly ExposedTool[],
  sent: readonly SentMessage[],
  { counter, tool, namesFor }: ConversationParts,
): readonly RequestPart[] {
  const sendable = new Map(
    exposed.flatMap((one) => (one.deferred === true ? [[one.name, one.hash] as const] : [])),
  )
  const referred = new Set<string>()
  const tokensOf = (hash: ContentHash, name: string) => {
    const definition = tool(hash)
    return definition === undefined
      ? 0
      : definitionTokens(definition, counter, sentName(name, namesFor))
  }
  return placed.map((one, index): RequestPart => {
    const known = (key: string, count: () => number) => {
      const [before, tokens] = sent[index] ?? []
      return before === key && tokens !== undefined ? tokens : count()
    }
    if (one.kind === 'history') {
      const { content, results = [] } = one.message
      const references = results.flatMap((result) =>
        (result.references ?? []).filter((name) => sendable.has(name)),
      )
      const own = messageKey(one.message)
      const key = references.length === 0 ? own : keyOf(own, references.join(' '))
      const fresh = references.filter((name) => !referred.has(name))
      for (const name of fresh) referred.add(name)
      const count = () =>
        fresh.reduce((sum, name) => sum + tokensOf(sendable.get(name) ?? 'sha256:', name), 0) +
        estimateTokens(content, counter)
      return { id: 'messages', key, tokens: known(key, count), text: () => content }
    }
    const { message, text } = one
    if (message.kind === 'text') {
      const { key } = message
      const [{ id } = { id: 'workspace' }] = message.parts
      return { id, key, tokens: known(key, () => counter.count(text)), text: () => text }
    }
    const { added, removed } = message
    const key = keyOf('tools', JSON.stringify([added, removed]))
    const count = () =>
      added.reduce(
        (sum, { name, hash, known: isKnown }) => {
          return sum + (isKnown ? counter.count(sentName(name, namesFor)) : tokensOf(hash, name))
        },
        counter.count(removed.map((name) => sentName(name, namesFor)).join(' ')),
      )
    return { id: added[0]?.name ?? removed[0] ?? 'tools', key, tokens: known(key, count) }
  })
}

function sharedLength(sent: readonly SentMessage[], image: readonly RequestPart[]): number {
  const different = image.findIndex(({ key }, index) => sent[index]?.[0] !== key)
  return Math.min(different < 0 ? image.length : different, sent.length)
}

function stepMessage(one: PlacedMessage, parts: ConversationParts): StepMessage {
  if (one.kind === 'history') return { kind: 'history', index: one.index }
  if (one.message.kind === 'text') return { kind: 'text', text: one.text }
  return toolChangeMessage(one.message, parts)
}
