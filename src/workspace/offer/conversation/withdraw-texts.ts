import type {
  LoadedText,
  WithdrawnResult,
  WorkspaceMessage,
} from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { isLoadedBy } from '../../../engine/standing/assess-skill.ts'
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
  const found: WithdrawableText[] = []
  let behind = 0
  for (const [key, own, loads = []] of (sent ?? []).toReversed()) {
    const unneeded = unneededTexts(loads, state)
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

/** Returns the tokens of the instructions of a skill that the conversation has, and that no active skill has from there. */
export function tokensLeft(skill: string, state: WorkspaceState): number {
  const { sent } = state.conversation
  const loads = (sent ?? []).flatMap(([, , own = []]) => own.filter((one) => one.skill === skill))
  return unneededTexts(loads, state).reduce((sum, { tokens }) => sum + tokens, 0)
}

function unneededTexts(loads: readonly LoadedText[], state: WorkspaceState): readonly LoadedText[] {
  return loads.filter(({ call, skill }) => !isLoadedBy(new Set([call]), skill, state))
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
  const results = behind.flatMap((one) =>
    one.kind === 'history' ? unneededResults(one, state) : [],
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

/** Returns the results of a message with instructions that no active skill has from them. */
function unneededResults(
  { message, reduced, key }: HostMessage,
  state: WorkspaceState,
): readonly WithdrawnResult[] {
  const { withdraw, content } = message
  if (withdraw === undefined) return []
  const { results = [] } = reduced?.message ?? message
  return results.flatMap(({ call, loads, references }) => {
    const isNeeded = loads === undefined || isLoadedBy(new Set([call]), loads, state)
    // The request has the definitions to which it refers.
    if (isNeeded || references !== undefined) return []
    const isShorter = withdraw(withdrawnResults([call])).content.length < content.length
    return isShorter ? [{ message: key, call }] : []
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
  return one.length === other.length && one.every(({ call }, at) => call === other[at]?.call)
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
