import type { LoadedText, SentMessage } from '../../../engine/model/conversation-state.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { sentToolTokens } from '../../../render/prompt/ledger/section-tokens.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../schema/provider-forms/provider-schema.ts'
import { countedTokens } from '../../calls/handlers/fit-to-model.ts'
import type { ComparedConversation, RequestPart } from '../exposure/predict-change.ts'
import { type HistoryMessage, keyOf, messageKey } from './history-message.ts'
import { type PlacedMessage, sentMessage } from './place-messages.ts'
import { withdrawnResults } from './withdraw-texts.ts'

/** Looks up definitions, and counts their tokens under the names that are sent. */
export interface Counting {
  readonly counter: TokenCounter
  /** The provider whose rules for names hold. */
  readonly namesFor: Provider | undefined
  tool(hash: ContentHash): Tool | undefined
}

/** The conversation of a request, for a comparison with the next one. */
export interface SentConversation {
  readonly placed: readonly PlacedMessage[]
  /** As the state has it, once the step is logged. */
  readonly sent: readonly SentMessage[]
  readonly tokens: number
  /** Tokens of the host's own messages. */
  readonly hostTokens: number
  /** The deferred tools to which messages could refer. */
  readonly deferred: string
}

/** The conversation of a request in comparison with that of the request before. */
interface Comparison {
  readonly compared: ComparedConversation
  readonly now: SentConversation
}

/**
 * Compares a conversation with the one before, message by message, and counts only what is new.
 *
 * @param begins a conversation with which this one begins, if one is known: when it is the one before, only the
 *   messages after it are compared
 */
export function compareConversation(
  placed: readonly PlacedMessage[],
  exposed: readonly ExposedTool[],
  sent: readonly SentMessage[] | null,
  begins: SentConversation | null,
  parts: Counting,
): Comparison {
  const references = new Map(
    exposed.flatMap((one) => (one.deferred === true ? [[one.name, one.hash] as const] : [])),
  )
  const deferred = [...references].join(' ')
  const before = sent ?? []
  const isBefore = begins?.deferred === deferred && areSent(begins.sent, before)
  const known = isBefore ? begins : NOTHING
  let { tokens, hostTokens } = known
  let kept = known.placed.length
  for (; kept < Math.min(placed.length, before.length); kept += 1) {
    const [one, [key, own]] = [placed[kept], before[kept]] as [PlacedMessage, SentMessage]
    if (key !== keyOfPlaced(one, references)) break
    tokens += own
    if (one.kind === 'history') hostTokens += own
  }
  const shared = placed.slice(0, kept)
  const referred = new Set(
    references.size === 0 ? [] : shared.flatMap((one) => referencesOf(one, references)),
  )
  const common: RequestPart = {
    id: 'messages',
    key: `the first ${kept}`,
    tokens,
    text: () => shared.map(textOfPlaced).join(''),
  }
  const fresh = placed.slice(kept).map((one) => {
    const part = partOf(one, references, referred, parts)
    tokens += part.tokens
    if (one.kind === 'history') hostTokens += part.tokens
    return part
  })
  const both = kept === 0 ? [] : [common]
  const earlier = before
    .slice(kept)
    .map(([key, own]): RequestPart => ({ id: 'messages', key, tokens: own }))
  const sentNow = fresh.map((one, at) => messageAsSent(one, placed[kept + at], parts))
  const all = [...before.slice(0, kept), ...sentNow]
  return {
    compared: { before: sent && [...both, ...earlier], now: [...both, ...fresh], kept },
    now: { placed, sent: all, tokens, hostTokens, deferred },
  }
}

const NOTHING: Pick<SentConversation, 'placed' | 'tokens' | 'hostTokens'> = {
  placed: [],
  tokens: 0,
  hostTokens: 0,
}

/** Returns true when these are the same messages. In one process they mostly are the same objects. */
function areSent(one: readonly SentMessage[], other: readonly SentMessage[]): boolean {
  return (
    one.length === other.length &&
    one.every((message, at) => message === other[at] || isEqual(message, other[at]))
  )
}

function isEqual([key, tokens]: SentMessage, other: SentMessage | undefined): boolean {
  return key === other?.[0] && tokens === other[1]
}

/** Hashes of the deferred tools that a conversation may refer to, by name. */
type Deferred = ReadonlyMap<string, ContentHash>

function referencesOf(one: PlacedMessage, deferred: Deferred): readonly string[] {
  if (deferred.size === 0 || one.kind !== 'history') return NONE
  return (sentMessage(one).results ?? []).flatMap(({ references = NONE }) =>
    references.filter((name) => deferred.has(name)),
  )
}

const NONE: readonly string[] = []

function keyOfPlaced(one: PlacedMessage, deferred: Deferred): string {
  if (one.kind === 'history') {
    const own = one.reduced ? messageKey(one.reduced.message) : one.key
    const references = referencesOf(one, deferred)
    // The provider reads a definition where a message refers to it, so a changed one changes the message.
    const versions = references.map((name) => `${name} ${deferred.get(name)}`)
    return references.length === 0 ? own : keyOf(own, versions.join(' '))
  }
  const { message } = one
  if (message.kind === 'text') return message.key
  return keyOf('tools', JSON.stringify([message.added, message.removed]))
}

function textOfPlaced(one: PlacedMessage): string {
  return one.kind === 'history' ? sentMessage(one).content : one.text
}

/** Returns a message for the log, with the instructions of skills that can be withdrawn from it. */
function messageAsSent(
  { key, tokens }: RequestPart,
  one: PlacedMessage | undefined,
  { counter }: Counting,
): SentMessage {
  if (one?.kind !== 'history') return [key, tokens]
  const { message } = one
  const loads = (sentMessage(one).results ?? []).flatMap(
    ({ call, loads: skill, references }): readonly LoadedText[] => {
      const without = skill !== undefined && message.withdraw?.(withdrawnResults([call]))
      if (!without) return []
      const freed = countMessage(message, counter) - countMessage(without, counter)
      return freed > 0 ? [{ call, skill, tokens: references === undefined ? freed : 0 }] : []
    },
  )
  return loads.length > 0 ? [key, tokens, loads] : [key, tokens]
}

function countMessage({ content }: HistoryMessage, counter: TokenCounter): number {
  return Math.round(countedTokens(content, counter))
}

/**
 * Returns one message as a part of the request.
 *
 * @param referred names of deferred tools that earlier messages refer to; those of this one are added
 */
function partOf(
  one: PlacedMessage,
  deferred: Deferred,
  referred: Set<string>,
  parts: Counting,
): RequestPart {
  const { counter, namesFor } = parts
  const key = keyOfPlaced(one, deferred)
  const text = () => textOfPlaced(one)
  if (one.kind === 'history') {
    const fresh = referencesOf(one, deferred).filter((name) => !referred.has(name))
    for (const name of fresh) referred.add(name)
    const definitions = fresh.reduce((sum, name) => {
      const hash = deferred.get(name)
      return hash === undefined ? sum : sum + sentToolTokens({ name, hash }, parts, counter)
    }, 0)
    const tokens = definitions + countMessage(sentMessage(one), counter)
    return { id: 'messages', key, tokens, text }
  }
  const { message } = one
  if (message.kind === 'text') {
    const [{ id } = { id: 'workspace' }] = message.parts
    return { id, key, tokens: counter.count(one.text), text }
  }
  const { added, removed } = message
  const names = removed.map((name) => sentName(name, namesFor)).join(' ')
  const tokens = added.reduce((sum, tool) => {
    const name = tool.known && sentName(tool.name, namesFor)
    return sum + (name ? counter.count(name) : sentToolTokens(tool, parts, counter))
  }, counter.count(names))
  return { id: added[0]?.name ?? removed[0] ?? 'tools', key, tokens }
}
