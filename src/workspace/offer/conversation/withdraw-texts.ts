import type {
  LoadedText,
  WithdrawnResult,
  WorkspaceMessage,
} from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { isLoadedBy, openSkill } from '../../../engine/standing/assess-skill.ts'
import { fateText } from '../../../tools/response/call-fate.ts'
import type { ProviderFacts } from '../exposure/provider-facts.ts'
import type { WithdrawnResults } from './history-message.ts'
import { DEACTIVATED } from './next-text.ts'
import type { HostMessage, PlacedMessage } from './place-messages.ts'

/**
 * The withdrawal of texts that no longer apply: `free`, when the provider reads them again anyway, because something before
 * them changed or its cache is cold; `now`, also when that costs the prefix after them; or `never`.
 */
export type WithdrawTexts = (typeof WITHDRAW_TEXTS)[number]

export const WITHDRAW_TEXTS = ['free', 'now', 'never'] as const

/** A text that a conversation still has, and that no longer applies. */
export interface WithdrawableText {
  /** The skill whose instructions it has; null for sections that were replaced, or that no longer apply. */
  readonly skill: string | null
  /** The call whose result it is; null for a text of the workspace. */
  readonly call: string | null
  /** Tokens that its withdrawal frees in each later request. */
  readonly tokens: number
  /** Tokens after it, which a withdrawal makes the provider read again once. */
  readonly reread: number
  /** The number of requests after which a withdrawal at the next one has paid for itself. */
  readonly requests: number
}

/**
 * Lists the texts that the conversation of the last request still has, and that no longer apply: instructions of skills
 * that are not active, and sections of the workspace that later ones replaced. Empty for a host that does not show its
 * history.
 */
export function withdrawableTexts(
  state: WorkspaceState,
  { read, write }: Pick<ProviderFacts, 'read' | 'write'>,
): readonly WithdrawableText[] {
  const { sent, ours } = state.conversation
  const outdated = outdatedTexts(ours.filter(isText), [], () => true)
  const byKey = new Map([...outdated].map(([{ key }, tokens]) => [key, tokens]))
  const outdatedResults = outdatedLoads(
    (sent ?? []).flatMap(([, , loads = []]) => loads),
    state,
  )
  const found: WithdrawableText[] = []
  let behind = 0
  for (const [key, own, loads = []] of (sent ?? []).toReversed()) {
    const unneeded = loads.filter((one) => outdatedResults.has(one) && one.tokens > 0)
    const text = byKey.get(key) ?? 0
    const all = [...unneeded, ...(text > 0 ? [{ skill: null, call: null, tokens: text }] : [])]
    for (const { skill, call, tokens } of all) {
      const requests = Math.ceil((behind * (write - read)) / (tokens * read))
      found.push({ skill, call, tokens, reread: behind, requests })
    }
    behind += own
  }
  return found.toReversed()
}

/** Returns the tokens of the instructions of a skill that the conversation has, and that no longer apply. */
export function tokensLeft(skill: string, state: WorkspaceState): number {
  const { sent } = state.conversation
  const loads = (sent ?? []).flatMap(([, , own = []]) => own.filter((one) => one.skill === skill))
  return [...outdatedLoads(loads, state)].reduce((sum, { tokens }) => sum + tokens, 0)
}

/**
 * Returns the results with instructions that no longer apply, of all results of a conversation in their order: those of
 * skills that are not active, and those before the result that activated a skill again. A result after that one, or of a
 * skill that something else activated, answers a call for an active skill, and its instructions apply.
 */
function outdatedLoads<Load extends Pick<LoadedText, 'call' | 'skill'>>(
  loads: readonly Load[],
  state: WorkspaceState,
): ReadonlySet<Load> {
  const outdated = new Set<Load>()
  const activated = new Set<string>()
  for (const load of loads.toReversed()) {
    const { call, skill } = load
    const cause = openSkill(state, skill)?.cause
    if (cause?.by === 'model' && cause.call === call) activated.add(skill)
    const isEarlier = activated.has(skill) && !isLoadedBy(new Set([call]), skill, state)
    if (cause === undefined || isEarlier) outdated.add(load)
  }
  return outdated
}

/** The texts that a request withdraws. */
export interface Withdrawal {
  readonly results: readonly WithdrawnResult[]
  readonly texts: ReadonlySet<WorkspaceMessage>
}

/**
 * Returns what no longer applies in a conversation, from the first message on that its provider reads again anyway; null when
 * there is nothing.
 */
export function findWithdrawal(
  placed: readonly PlacedMessage[],
  from: number,
  state: WorkspaceState,
): Withdrawal | null {
  const behind = placed.slice(from)
  const loads = behind.flatMap((one) => (one.kind === 'history' ? loadsIn(one) : []))
  const outdated = outdatedLoads(loads, state)
  const results = loads.flatMap((one) =>
    outdated.has(one) && one.isFreed ? { message: one.message, call: one.call } : [],
  )
  const free = new Set(behind.flatMap((one) => (one.kind === 'ours' ? [one.message] : [])))
  const all = placed.flatMap((one) =>
    one.kind === 'ours' && isText(one.message) ? [one.message] : [],
  )
  // Without these results there is less to list.
  const ended = results.length > 0 ? [DEACTIVATED] : []
  const texts = outdatedTexts(all, ended, (one) => free.has(one))
  const sent = new Set<WorkspaceMessage>(state.conversation.ours)
  const withdrawn = [...texts.keys()].filter((one) => free.has(one) && sent.has(one))
  return results.length + withdrawn.length === 0 ? null : { results, texts: new Set(withdrawn) }
}

/** A result with the instructions of a skill. */
interface FoundLoad extends WithdrawnResult, Pick<LoadedText, 'skill'> {
  /** Its withdrawal makes the message shorter. */
  readonly isFreed: boolean
}

/** Returns the results of a message with instructions of skills that could be withdrawn. */
function loadsIn({ message, reduced, key }: HostMessage): readonly FoundLoad[] {
  const { withdraw, content } = message
  if (withdraw === undefined) return []
  const { results = [] } = reduced?.message ?? message
  return results.flatMap(({ call, loads: skill, references }) => {
    if (skill === undefined) return []
    const isShorter = withdraw(withdrawnResults([call])).content.length < content.length
    // The request has the definitions to which it refers.
    return [{ message: key, call, skill, isFreed: isShorter && references === undefined }]
  })
}

/** Returns the messages in the form for requests: without the results that are withdrawn. */
export function withoutWithdrawn(
  placed: readonly PlacedMessage[],
  withdrawn: readonly WithdrawnResult[],
): readonly PlacedMessage[] {
  if (withdrawn.length === 0) return placed
  const byMessage = Map.groupBy(withdrawn, ({ message }) => message)
  return placed.map((one) => {
    const own = one.kind === 'history' ? byMessage.get(one.key) : undefined
    if (one.kind !== 'history' || own === undefined || one.message.withdraw === undefined)
      return one
    const results = withdrawnResults(own.map(({ call }) => call))
    return { ...one, reduced: { message: one.message.withdraw(results), withdrawn: results } }
  })
}

/** Returns results with the text that the model reads instead. */
export function withdrawnResults(calls: readonly string[]): WithdrawnResults {
  return { calls, text: WITHDRAWN_TEXT }
}

const WITHDRAWN_TEXT = fateText({ kind: 'withdrawn' }).text

/** Returns true when two requests withdraw the same results. */
export function areSameResults(
  one: readonly WithdrawnResult[],
  other: readonly WithdrawnResult[],
): boolean {
  const isSameAt = ({ message, call }: WithdrawnResult, at: number) =>
    message === other[at]?.message && call === other[at].call
  return one.length === other.length && one.every(isSameAt)
}

type TextMessage = Extract<WorkspaceMessage, { kind: 'text' }>

function isText(message: WorkspaceMessage): message is TextMessage {
  return message.kind === 'text'
}

/**
 * Returns the texts with parts that later texts replace or end, and the tokens of those parts; and the texts that only end
 * parts which no text has any more.
 */
function outdatedTexts(
  texts: readonly TextMessage[],
  ended: readonly string[],
  isFree: (text: TextMessage) => boolean,
): ReadonlyMap<TextMessage, number> {
  const later = new Set(ended)
  const outdated = new Map<TextMessage, number>()
  for (const text of texts.toReversed()) {
    const old = text.parts.filter(({ id }) => later.has(id))
    if (old.length > 0)
      outdated.set(
        text,
        old.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
      )
    for (const { id } of text.parts) later.add(id)
    for (const id of text.gone) later.add(id)
  }
  const present = new Set<string>()
  for (const text of texts) {
    if (outdated.has(text) && isFree(text)) continue
    const isEmpty = text.parts.length === 0 && !text.gone.some((id) => present.has(id))
    if (isEmpty) outdated.set(text, 0)
    for (const { id } of text.parts) present.add(id)
  }
  return outdated
}
