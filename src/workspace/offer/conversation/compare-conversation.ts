import type { SentMessage } from '../../../engine/model/conversation-state.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import { sentName } from '../../../engine/standing/sent-name.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { sentToolTokens } from '../../../render/prompt/ledger/section-tokens.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../tools/provider-schema/provider-schema.ts'
import { estimateTokens } from '../../calls/end-call.ts'
import type { ComparedConversation, RequestPart } from '../exposure/predict-change.ts'
import { keyOf } from './history-message.ts'
import type { PlacedMessage } from './place-messages.ts'

/** Looks up definitions, and counts their tokens under the names that are sent. */
export interface Counting {
  readonly counter: TokenCounter
  /** The provider whose rules for names hold. */
  readonly namesFor: Provider | undefined
  tool(hash: ContentHash): Tool | undefined
}

/** The conversation of a request in comparison with that of the request before. */
interface Comparison {
  readonly compared: ComparedConversation
  /** The messages after those that both share. */
  readonly fresh: readonly RequestPart[]
}

/** Compares a conversation with the one before, message by message, and counts only what is new. */
export function compareConversation(
  placed: readonly PlacedMessage[],
  exposed: readonly ExposedTool[],
  sent: readonly SentMessage[] | null,
  parts: Counting,
): Comparison {
  const references = new Map(
    exposed.flatMap((one) => (one.deferred === true ? [[one.name, one.hash] as const] : [])),
  )
  const before = sent ?? []
  const different = placed.findIndex(
    (one, index) => before[index]?.[0] !== keyOfPlaced(one, references),
  )
  const kept = Math.min(different < 0 ? placed.length : different, before.length)
  const shared = placed.slice(0, kept)
  const referred = new Set(
    references.size === 0 ? [] : shared.flatMap((one) => referencesOf(one, references)),
  )
  const fresh = placed.slice(kept).map((one) => partOf(one, references, referred, parts))
  const common: RequestPart = {
    id: 'messages',
    key: `the first ${kept}`,
    tokens: before.slice(0, kept).reduce((sum, [, tokens]) => sum + tokens, 0),
    text: () => shared.map(textOfPlaced).join(''),
  }
  const both = kept === 0 ? [] : [common]
  const earlier = before
    .slice(kept)
    .map(([key, tokens]): RequestPart => ({ id: 'messages', key, tokens }))
  return {
    compared: { before: sent && [...both, ...earlier], now: [...both, ...fresh], kept },
    fresh,
  }
}

/** Hashes of the deferred tools that a conversation may refer to, by name. */
type Deferred = ReadonlyMap<string, ContentHash>

function referencesOf(one: PlacedMessage, deferred: Deferred): readonly string[] {
  if (deferred.size === 0 || one.kind !== 'history' || !one.message.results) return NONE
  return one.message.results.flatMap(({ references = NONE }) =>
    references.filter((name) => deferred.has(name)),
  )
}

const NONE: readonly string[] = []

function keyOfPlaced(one: PlacedMessage, deferred: Deferred): string {
  if (one.kind === 'history') {
    const own = one.key
    const references = referencesOf(one, deferred)
    return references.length === 0 ? own : keyOf(own, references.join(' '))
  }
  const { message } = one
  if (message.kind === 'text') return message.key
  return keyOf('tools', JSON.stringify([message.added, message.removed]))
}

function textOfPlaced(one: PlacedMessage): string {
  return one.kind === 'history' ? one.message.content : one.text
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
    const tokens = definitions + estimateTokens(one.message.content, counter)
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
