import type { ModelMessage } from 'ai'
import { readMessage } from '../../../connections/wires/ai-sdk/read-message.ts'
import type { ContentHash, Entry, JsonValue, TokenCounter } from '../../../entries/index.ts'
import { identityMemo, isObject, sanitiseLine } from '../../../entries/kit.ts'
import { counted, formatCount, keptText, requestText } from '../../../entries/plan.ts'
import {
  type ConversationRow,
  conversationRows,
  type ConversationTexts,
  type KeptText,
} from '../../report/facts/conversation-rows.ts'
import { cachedStep } from '../../report/facts/request-report.ts'
import { cachedParts } from '../rows/cached-parts.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description } from '../context/screen-pane.ts'
import { jsonLines } from '../text/text-lines.ts'
import { valueLine, valueLines } from '../text/value-lines.ts'

/** The rows of a conversation that are shown, the latest ones, and the number of earlier ones. */
interface ShownConversation {
  readonly rows: readonly ConversationRow[]
  readonly earlier: number
}

/** The most rows; earlier moments show earlier rows. */
const MOST_ROWS = 2000

const textCache = identityMemo<ConversationTexts>()

const shownCache = identityMemo<ShownConversation>()

/** Returns all texts of a session. Only a new entry or message makes them again. */
function allTexts({ texts, entries }: PlaygroundContext): ConversationTexts {
  const messages = texts.messages()
  return textCache([entries(), messages], `${messages.length}`, () =>
    conversationRows(entries(), messages),
  )
}

/** Returns the conversation at the moment shown. */
export function shownConversation(context: PlaygroundContext): ShownConversation {
  const { rows } = allTexts(context)
  const { moment } = context.ui.getState()
  // The same list grows.
  return shownCache([rows, context.entries()], `${rows.length} ${moment}`, () => {
    const end = moment === null ? rows.length : firstAfter(rows, moment)
    let start = end
    while (start > 0 && rows[start]?.isSummary !== true) start -= 1
    const first = Math.max(start, end - MOST_ROWS)
    return { rows: rows.slice(first, end), earlier: first - start }
  })
}

function firstAfter(rows: readonly ConversationRow[], seq: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The text of a row: its value, or the reason why there is none; null for both while it is read. */
interface ReadText {
  readonly value: unknown
  readonly why: string | null
}

/** Reads the text of a row. */
function readRow(
  { text, kind }: Pick<ConversationRow, 'text' | 'kind'>,
  { texts }: Pick<PlaygroundContext, 'texts'>,
): ReadText {
  if (text.kind === 'none') return { value: null, why: text.why }
  if (text.kind === 'value') return { value: text.value, why: null }
  const stored = texts.stored(text.hash)
  if (stored === undefined) return { value: null, why: null }
  if (stored === null) return { value: null, why: text.why }
  return { value: kind === 'result' ? resultIn(stored) : textIn(stored), why: null }
}

/** Returns what a model reads of a stored result. */
function resultIn(stored: JsonValue): unknown {
  if (!isObject(stored)) return stored
  const { error, whole, content, data } = stored
  if (error !== undefined) return isObject(error) ? (error['message'] ?? error) : error
  if (whole !== undefined) return whole
  if (!Array.isArray(content)) return data
  return content.map((one) => (isObject(one) ? (one['sentence'] ?? one['part'] ?? one) : one))
}

/** Returns a stored text: of a skill, its instructions. */
function textIn(stored: JsonValue): unknown {
  const isSkill = isObject(stored) && typeof stored['workDirection'] === 'string'
  return isSkill ? stored['workDirection'] : stored
}

/** Writes a row on one line. */
export function rowLine(row: ConversationRow, context: PlaygroundContext): string {
  const { kind, title, ok } = row
  if (kind === 'step') return sanitiseLine(`${title}${requestWords(row, context)}`)
  const { value, why } = readRow(row, context)
  const said = why === null ? (value === null ? '' : valueLine(value)) : '(not kept)'
  const speaker =
    kind === 'call'
      ? 'call'
      : kind === 'result'
        ? ok === false
          ? 'failed'
          : 'result'
        : `${SPEAKERS[kind]}:`
  return sanitiseLine([speaker, title, said].filter((one) => one !== '').join(' '))
}

const SPEAKERS = { person: 'user', model: 'model', host: 'host', workspace: 'workspace' }

/** Says how long a request was, and how much of it was cached: by the report of its provider, else by its prediction. */
function requestWords({ seq }: ConversationRow, context: PlaygroundContext): string {
  const entries = context.entries()
  const event = entries[seq]?.event
  const { moment } = context.ui.getState()
  const reported = reportAfter(entries, seq, moment ?? entries.length)
  if (reported !== null) {
    const { input, cached } = reported
    const read = cached === undefined ? '' : `, ${formatCount(cached)} cached`
    return `, request ${formatCount(input)} tokens by its provider${read}`
  }
  if (event?.type !== 'step.begun' || event.cost === undefined) return ''
  const { cost } = event
  const kept = keptText(cachedStep(event, cost))
  return `, ${requestText({ cost })} tokens${cost.previous === 0 ? '' : `, ${kept}`}`
}

/** Returns the usage that the provider reported for the request of an entry, by the entries up to another one. */
function reportAfter(entries: readonly Entry[], seq: number, until: number) {
  const begun = entries[seq]?.event
  for (let at = seq + 1; at <= Math.min(until, seq + MOST_BETWEEN); at += 1) {
    const event = entries[at]?.event
    if (event?.type === 'step.begun') return null
    if (event?.type !== 'step.reported' || begun?.type !== 'step.begun') continue
    if (event.step === begun.step) return event.usage
  }
  return null
}

/** Entries between a request and its report that are looked through. */
const MOST_BETWEEN = 100

const tokenCache = identityMemo<number | null>()

/** Returns the tokens of a row: those of the log, else of its text; null where neither is known. */
export function rowTokens(row: ConversationRow, context: PlaygroundContext): number | null {
  if (row.tokens !== null) return row.tokens
  const { counter } = context
  if (row.part !== undefined) {
    const { message, index } = row.part
    return partTokens(message, counter)[index] ?? null
  }
  const { value } = readRow(row, context)
  if (value === null || value === undefined) return null
  return tokenCache([row, counter], '', () =>
    countText(typeof value === 'string' ? value : JSON.stringify(value), counter),
  )
}

const partCache = identityMemo<readonly number[]>()

/** Counts a message as the request does, and divides its tokens among its parts. The last has what is around them. */
function partTokens(message: ModelMessage, counter: TokenCounter): readonly number[] {
  return partCache([message, counter], '', () => {
    const whole = countText(readMessage(message).content, counter)
    const { content } = message
    if (typeof content === 'string') return [whole]
    const parts = content.slice(0, -1).map((part) => countText(JSON.stringify(part) ?? '', counter))
    let left = whole
    const shares = parts.map((tokens) => {
      const share = Math.min(left, tokens)
      left -= share
      return share
    })
    return [...shares, left]
  })
}

/** Characters that are counted; the tokens of a longer text are estimated from its beginning. */
const MOST_COUNTED = 100_000

function countText(text: string, counter: TokenCounter): number {
  const head = text.slice(0, MOST_COUNTED)
  return Math.round(counter.count(head) * (text.length / Math.max(1, head.length)))
}

/**
 * Returns the tokens of a row that the provider has in its cache for the next request; null where nobody knows, as in the
 * session of another agent.
 */
export function rowCached(row: ConversationRow, context: PlaygroundContext): number | null {
  if (row.kind === 'step' || row.isInside) return 0
  const { reported, opening, step } = context.reader().state
  if (opening?.observed !== undefined) {
    return reported.last?.report.usage.cached === 0 || row.after >= step ? 0 : null
  }
  const next = context.next()
  if (next === null || next.before === null || row.after >= step) return 0
  const { parts } = next.predicted
  const at = parts.findIndex(({ segment, id }) => segment === 'conversation' && id === 'messages')
  const cached = cachedParts(next)[at] ?? 0
  if (cached === 0) return 0
  // A provider that caches in steps leaves the end out.
  let missing = (parts[at]?.tokens ?? 0) - cached
  for (const last of shownConversation(context).rows.toReversed()) {
    if (missing <= 0) break
    if (last.kind === 'step' || last.isInside || last.after >= step) continue
    const tokens = rowTokens(last, context) ?? 0
    if (last === row) return Math.max(0, tokens - missing)
    missing -= tokens
  }
  return rowTokens(row, context)
}

/** A text that an entry leads to, with its heading. */
interface EntryText {
  readonly heading: string
  readonly value: unknown
  readonly lines: readonly string[]
}

/** Returns the texts that an entry leads to: the arguments and the result of its call, the message, the answer. */
export function entryTexts(
  { seq, event }: Entry,
  context: PlaygroundContext,
): readonly EntryText[] {
  const read = (heading: string, text: KeptText, kind: ConversationRow['kind']): EntryText => {
    const { value, why } = readRow({ text, kind }, context)
    const lines = why === null ? (value === null ? [READING] : valueLines(value)) : why.split('\n')
    return { heading, value: why === null ? value : null, lines }
  }
  const stored = (heading: string, hash: ContentHash): EntryText =>
    read(heading, { kind: 'stored', hash, why: 'The log does not have it.' }, 'model')
  if (event.type === 'turn.begun' && event.said !== undefined)
    return [stored('The message', event.said)]
  if (event.type === 'step.reported')
    return (event.said ?? []).map((hash) => stored('The answer', hash))
  if (event.type !== 'call.started' && event.type !== 'call.ended') return []
  const texts = allTexts(context).calls.get(seq)
  if (texts === undefined) return []
  return [
    read('Arguments', texts.arguments, 'call'),
    ...(texts.result === null ? [] : [read('Result', texts.result, 'result')]),
  ]
}

const READING = 'Reading it …'

const aboutCache = identityMemo<Description>()

/** Describes a row in full: its text, JSON as a tree, and the bytes as sent. */
export function describeRow(row: ConversationRow, context: PlaygroundContext): Description {
  return aboutCache([row, context.reader()], `${context.texts.version()}`, () =>
    writeRow(row, context),
  )
}

function writeRow(row: ConversationRow, context: PlaygroundContext): Description {
  const { kind, seq, title, call, part } = row
  const { value, why } = readRow(row, context)
  const tokens = rowTokens(row, context)
  const facts = [
    `#${seq}`,
    ...(tokens === null || kind === 'step' ? [] : [counted(tokens, 'token')]),
    ...(call === undefined ? [] : [`call ${sanitiseLine(call)}`]),
  ]
  const named = sanitiseLine(kind === 'call' || kind === 'result' ? `${kind} ${title}` : title)
  const heading = kind === 'step' ? title : named === '' ? SPEAKERS[kind as 'model'] : named
  const body = why !== null ? why.split('\n') : value === null ? [READING] : valueLines(value)
  const own = why === null && kind !== 'step' ? value : undefined
  const sent = part?.message ?? own
  return {
    title: heading,
    asks: `#${seq}`,
    lines: [facts.join(', '), '', ...body],
    ...(sent !== undefined && sent !== null && { sent: () => jsonLines(sent) }),
  }
}
