import { contentHash, textHash } from '../../kernel/content-hash.ts'
import { memberMemo } from '../../kernel/identity-memo.ts'
import { wellFormed } from '../../kernel/json-value.ts'
import { callName } from '../../schema/provider-forms/provider-name.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import { CUT_CALL, type ModelCall, stoppedAnswer } from '../calls/call-answers.ts'
import {
  type ConversationForm,
  type HistoryForm,
  legalArguments,
  type ReadAnswer,
  type ReadItem,
  type WireCall,
  type WireTypes,
} from './conversation-form.ts'

/** An item, and what was read of it. */
export interface KnownItem<Item> {
  readonly item: Item
  readonly is: ReadItem<ModelCall>
  /** Its bytes in requests, with a digest and the size of binary data instead of the data. */
  readonly text: string
}

/** The readings of items in one form. Workspaces that are opened one after the other share it. */
interface Readings<Item extends object> {
  /** Splits an item, and reads a piece, once as long as the host does not change it. */
  readonly pieces: (item: Item) => readonly Item[]
  readonly known: (item: Item) => KnownItem<Item>
}

const readings = new WeakMap<object, unknown>()

/** Returns the functions that split and read the items of a form. */
export function readItems<Item extends object>(form: HistoryForm<Item>): Readings<Item> {
  const before = readings.get(form) as Readings<Item> | undefined
  if (before) return before
  const known = memberMemo((given: Item): KnownItem<Item> => {
    const item = wellFormed(given)
    const { calls, ...read } = form.read(item)
    const is = calls ? { ...read, calls: calls.map(modelCall) } : read
    return { item, is, text: textOf(is.sent ?? item) }
  })
  const pieces = memberMemo((item: Item) => form.pieces?.(item) ?? [item])
  const made: Readings<Item> = { pieces, known }
  readings.set(form, made)
  return made
}

/** The gate reads the name. It is read once only: a tool may have the form of another tool's name as its own. */
function modelCall({ name, namespace, ...call }: WireCall): ModelCall {
  return { ...call, tool: namespace === undefined ? name : `${namespace}/${name}` }
}

function textOf(sent: object): string {
  return JSON.stringify(sent, (name, value: unknown) => {
    // Marks of where a provider caches are no content: they move.
    if (name === 'cache_control') return undefined
    return typeof value === 'string' && value.length > MAX_RUN && isBase64(value)
      ? `${textHash(value)} (${value.length} characters)`
      : value
  })
}

/** Longer than any word. */
const MAX_RUN = 400

const DATA_URL = /^data:[\w.+/-]{1,200};base64,/u

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/u

/** Returns true for base64, also in a data URL. It looks for what is none: a match of all of it may be too long. */
function isBase64(text: string): boolean {
  const data = text.replace(DATA_URL, '').replace(/={1,2}$/u, '')
  return !NOT_BASE64.test(data)
}

/**
 * Returns the calls of an answer for the gate, and in the form in which they go back to the provider.
 *
 * @param taken the ids of the calls in the history
 * @param length the messages of the history
 */
export function fitCalls<Wire extends WireTypes>(
  { status, stopped, calls }: ReadAnswer<Wire>,
  { idLength }: Pick<ConversationForm<Wire>, 'idLength'>,
  provider: Provider,
  taken: ReadonlySet<string>,
  length: number,
) {
  const ids = new Set(taken)
  return calls.map(({ id: own, isCut = false, ...given }, index) => {
    const id = idLength === undefined ? String(own) : callId(own, [length, index], ids, idLength)
    ids.add(id)
    const fit = legalArguments(given.input)
    const isUnfinished = status === 'cut' && (fit === null || (given.input ?? '') === '')
    const reason =
      stopped === undefined ? (isCut || isUnfinished) && CUT_CALL : stoppedAnswer(stopped)
    const name = callName(given.name, provider)
    return {
      call: { ...modelCall({ ...given, id }), ...(reason !== false && { stopped: reason }) },
      sent: { id, name, ...(fit ?? { input: {}, text: '{}' }) },
    }
  })
}

/**
 * Returns the id of a call: its own, or a new one where it has none, another call has it, or it is too long.
 *
 * @param place the place of the call in the conversation. The new id follows from it, so that a step that is made again
 *   after a crash has the same ids, and no call runs twice
 * @param taken ids of other calls
 * @param limit the most characters that the provider takes
 */
function callId(
  own: unknown,
  place: readonly number[],
  taken: ReadonlySet<string>,
  limit: number,
): string {
  const isLegal = typeof own === 'string' && own !== '' && own.length <= limit
  if (isLegal && !taken.has(own)) return own
  // A history that was cut has fewer messages, so another call may have the id of this place.
  const id = `call_${contentHash(place).slice(-24)}`
  return taken.has(id) ? callId(own, [...place, 0], taken, limit) : id
}
