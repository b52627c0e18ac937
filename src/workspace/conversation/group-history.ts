import { sameItems } from '../../kernel/identity-memo.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import { fateText } from '../../tools/response/call-fate.ts'
import { argumentsOf, type ModelCall } from '../calls/call-answers.ts'
import type { MissingResult } from './call-fates.ts'
import {
  type HistoryMessage,
  type HistoryResult,
  skillInResult,
  type WithdrawnResults,
} from '../offer/conversation/history-message.ts'
import type { HistoryForm, ReadItem } from './conversation-form.ts'
import { type KnownItem, readItems } from './read-items.ts'

/** Items that belong together: an answer of the model, the results of its calls, or one message. */
export interface ItemGroup<Item> {
  readonly items: readonly Item[]
  readonly message: HistoryMessage
  /** Returns the same without some results; absent where none can be withdrawn. */
  readonly without?: (withdrawn: WithdrawnResults) => ItemGroup<Item>
}

/** A history in groups, so that nothing that belongs together is cut. */
interface GroupedHistory<Item> {
  /** Messages of the system at the start. They stay there, whatever is left out later. */
  readonly leading: readonly Item[]
  readonly groups: readonly ItemGroup<Item>[]
  /** Calls without a result. In the groups they have one that says so. */
  readonly open: readonly ModelCall[]
  /** The ids of all calls. */
  readonly calls: ReadonlySet<string>
}

/** An item, and the ones that continue it. */
type Unit<Item> = readonly [KnownItem<Item>, ...KnownItem<Item>[]]

interface Grouping<Item> {
  readonly known: readonly KnownItem<Item>[]
  readonly history: GroupedHistory<Item>
  readonly settled: SettledStart
  readonly missing: MissingResults | undefined
}

/** The texts in the place of the results of calls that have none, by the id of the call. */
type MissingResults = ReadonlyMap<string, MissingResult>

/**
 * The beginning of a history up to its last message of the user with the results of all calls before it: groups that
 * stay the same, whatever follows.
 */
interface SettledStart {
  readonly items: number
  readonly groups: number
  readonly calls: number
}

/**
 * Groups a history. One that is given again is not grouped again, and of one that goes on only the items since its
 * last turns are. See `makeGroups`.
 */
export function groupHistory<Item extends object>(
  items: readonly Item[],
  form: HistoryForm<Item>,
  missing?: MissingResults,
): GroupedHistory<Item> {
  const { pieces, known: knownPiece } = readItems(form)
  const grouped = groupingsIn(form)
  const split = form.pieces ? items.flatMap(pieces) : items
  const [first] = split
  const before = first && grouped.get(first)
  const known = split.map(knownPiece)
  const isSame = before && sameItems(before.known, known)
  if (isSame && (missing === undefined || before.missing === missing)) return before.history
  const made =
    (before && continueGroups(before, known, form, missing)) ?? makeGroups(known, form, missing)
  if (first) grouped.set(first, { known, ...made, missing })
  return made.history
}

/** The latest history that begins with an item, in groups, for each form. */
const groupings = new WeakMap<object, WeakMap<object, unknown>>()

function groupingsIn<Item extends object>(form: HistoryForm<Item>): WeakMap<Item, Grouping<Item>> {
  const known = groupings.get(form) ?? new WeakMap<object, unknown>()
  groupings.set(form, known)
  return known as WeakMap<Item, Grouping<Item>>
}

/** Groups the items after the settled start of an earlier history; null when they change what is before them. */
function continueGroups<Item extends object>(
  { known: before, history, settled }: Grouping<Item>,
  known: readonly KnownItem<Item>[],
  form: HistoryForm<Item>,
  missing: MissingResults | undefined,
): Omit<Grouping<Item>, 'known' | 'missing'> | null {
  if (settled.items === 0 || known.length < settled.items) return null
  for (let at = 0; at < settled.items; at += 1) if (before[at] !== known[at]) return null
  const later = known.slice(settled.items)
  // Anything else may belong to the group before it.
  if (later[0] && later[0].is.role !== 'user') return null
  const more = makeGroups(later, form, missing)
  const calls = new Set([...history.calls].slice(0, settled.calls))
  if (hasResultOf(calls, later)) return null
  const all = calls.union(more.history.calls)
  return {
    history: {
      leading: history.leading,
      groups: [...history.groups.slice(0, settled.groups), ...more.history.groups],
      open: more.history.open,
      calls: all,
    },
    settled: {
      items: settled.items + more.settled.items,
      groups: settled.groups + more.settled.groups,
      calls: calls.union(new Set([...more.history.calls].slice(0, more.settled.calls))).size,
    },
  }
}

/**
 * Returns true when an item is the result of one of the calls. A later call of the same id has the results after it.
 */
function hasResultOf(calls: ReadonlySet<string>, later: readonly KnownItem<object>[]): boolean {
  const again = new Set<string>()
  for (const { is } of later) {
    for (const { id } of is.calls ?? NO_CALLS) again.add(id)
    const call = is.result?.call
    if (call !== undefined && calls.has(call) && !again.has(call)) return true
  }
  return false
}

/**
 * Groups a history. Results follow the answer that made their calls: one that waited for a person comes later,
 * and Chat Completions take no other message between them. A result without its call is left out: the host cut
 * the history between them.
 */
function makeGroups<Item extends object>(
  known: readonly KnownItem<Item>[],
  form: HistoryForm<Item>,
  missing: MissingResults | undefined,
): Omit<Grouping<Item>, 'known' | 'missing'> {
  const units = unitsOf(known, form)
  const first = units.findIndex(([{ is }]) => is.role !== 'system')
  const start = first < 0 ? units.length : first
  const results = resultsByCall(units, ([{ is }]) => is)
  const made: ItemGroup<Item>[] = []
  let open: ModelCall[] = []
  const calls = new Map<string, ModelCall>()
  let answer: Unit<Item>[] = []
  let settled: SettledStart = { items: 0, groups: 0, calls: 0 }
  let items = start
  /** Results that a group above has, and whose place in the history comes later. */
  const ahead = new Set<Unit<Item>>()
  const endAnswer = () => {
    if (answer.length === 0) return
    const own = answer.flatMap((unit) =>
      (unit[0].is.calls ?? NO_CALLS).map((call) => ({
        call,
        result: results.get(unit)?.get(call.id),
      })),
    )
    for (const { call } of own) calls.set(call.id, call)
    made.push(itemGroup('assistant', answer, calls))
    answer = []
    if (own.length === 0) return
    open.push(...own.flatMap(({ call, result }) => (result ? [] : call)))
    for (const { result } of own) if (result) ahead.add(result)
    const ends = own.map(
      ({ call, result }) => result ?? missingUnit(call, form, missing?.get(call.id)),
    )
    const group = itemGroup('results', ends, calls)
    // A program of the provider that waits for results gets nothing else.
    const isOfProgram = own.some(({ call }) => call.program !== undefined)
    made.push(
      isOfProgram
        ? { ...group, message: continued(group.message) }
        : withdrawableGroup(group, ends, form, calls),
    )
  }
  for (const unit of units.slice(start)) {
    const { role, result } = unit[0].is
    if (role === 'assistant') {
      answer.push(unit)
      if (form.hasWholeAnswers) endAnswer()
    } else {
      endAnswer()
      ahead.delete(unit)
      if (role === 'user' && open.length === 0 && ahead.size === 0) {
        settled = { items, groups: made.length, calls: calls.size }
      }
      if (role === 'user') open = open.map((call) => ({ ...call, isPassedOver: true }))
      // What continues results that the host removed is left out with them.
      const isLeftOut = form.hasWholeAnswers && isContinuing(unit[0].is)
      if (result === undefined && !isLeftOut) made.push(itemGroup(role, [unit], calls))
    }
    items += unit.length
  }
  endAnswer()
  const leading = units.slice(0, start).map(([{ item }]) => item)
  return { history: { leading, groups: made, open, calls: new Set(calls.keys()) }, settled }
}

const continuedMessages = new WeakMap<HistoryMessage, HistoryMessage>()

/** Returns the message as one that the model continues: the same object for the same message. */
export function continued(message: HistoryMessage): HistoryMessage {
  const known = continuedMessages.get(message) ?? { ...message, continues: true }
  continuedMessages.set(message, known)
  return known
}

const NO_CALLS: readonly ModelCall[] = []

/**
 * Returns the results of calls, by the item that makes the call and by its id. Ids may come again in a history: a
 * result belongs to the latest call before it.
 */
export function resultsByCall<Item>(
  items: readonly Item[],
  read: (item: Item) => {
    readonly calls?: readonly { readonly id: string }[]
    readonly result?: { readonly call: string }
  },
): ReadonlyMap<Item, ReadonlyMap<string, Item>> {
  const results = new Map<Item, Map<string, Item>>()
  const latest = new Map<string, Map<string, Item>>()
  for (const item of items) {
    const { calls, result } = read(item)
    if (calls && calls.length > 0) {
      const own = new Map<string, Item>()
      results.set(item, own)
      for (const { id } of calls) latest.set(id, own)
    }
    if (result) latest.get(result.call)?.set(result.call, item)
  }
  return results
}

function unitsOf<Item>(
  items: readonly KnownItem<Item>[],
  { hasWholeAnswers }: HistoryForm<Item>,
): readonly Unit<Item>[] {
  const units: Unit<Item>[] = []
  for (const known of items) {
    const last = units.at(-1)
    // A complete answer is continued by its results only.
    const isItsOwn = last && (!hasWholeAnswers || last[0].is.role === 'results')
    if (isContinuing(known.is) && isItsOwn) units[units.length - 1] = [...last, known]
    else units.push([known])
  }
  return units
}

function isContinuing({ role, result }: KnownItem<object>['is']): boolean {
  return role === 'results' && result === undefined
}

const withdrawable = new WeakMap<HistoryMessage, ItemGroup<object>>()

/** Returns a group whose results with the instructions of skills can be withdrawn: the same object for the same group. */
function withdrawableGroup<Item extends object>(
  group: ItemGroup<Item>,
  units: readonly Unit<Item>[],
  form: HistoryForm<Item>,
  callsById: ReadonlyMap<string, ModelCall>,
): ItemGroup<Item> {
  const { message } = group
  const loads = new Set(message.results?.flatMap(({ call, loads: skill }) => (skill ? call : [])))
  if (loads.size === 0) return group
  const known = withdrawable.get(message)
  if (known) return known as ItemGroup<Item>
  const made = new Map<string, ItemGroup<Item>>()
  const without = ({ calls, text }: WithdrawnResults) => {
    const key = JSON.stringify(calls)
    const left = units.map((unit) => {
      const { call = '' } = unit[0].is.result ?? {}
      const isOut = loads.has(call) && calls.includes(call)
      const { tool = '' } = callsById.get(call) ?? {}
      return isOut ? missingUnit({ id: call, tool }, form, { text, isError: false }) : unit
    })
    const reduced = made.get(key) ?? makeGroup('results', allItems(left), callsById)
    made.set(key, reduced)
    return reduced
  }
  const withdraw = (withdrawn: WithdrawnResults) => without(withdrawn).message
  const complete = { ...group, without, message: { ...message, withdraw } }
  withdrawable.set(message, complete)
  return complete
}

function missingUnit<Item extends object>(
  { id, tool: name, program }: Pick<ModelCall, 'id' | 'tool' | 'program'>,
  form: HistoryForm<Item>,
  result: MissingResult = fateText({ kind: 'lost' }),
): Unit<Item> {
  const call = { id, name, ...(program && { program }) }
  const [item] = form.results([{ ...call, ...result, references: [] }])
  const known = readItems(form).known(item as Item)
  const { text } = result
  return [{ ...known, is: { ...known.is, result: { call: id, text, outcome: 'lost' } } }]
}

const groups = new WeakMap<KnownItem<object>, KnownGroup>()

interface KnownGroup {
  readonly known: readonly KnownItem<object>[]
  readonly group: ItemGroup<object>
}

/** Makes a group. The same items give the same object, whose text and key are then known. */
function itemGroup<Item extends object>(
  role: HistoryMessage['role'],
  units: readonly Unit<Item>[],
  callsById: ReadonlyMap<string, ModelCall>,
): ItemGroup<Item> {
  const known = allItems(units)
  const [first] = known as readonly [KnownItem<Item>]
  const before = groups.get(first)
  if (before && sameItems(before.known, known)) return before.group as ItemGroup<Item>
  const group = makeGroup(role, known, callsById)
  groups.set(first, { known, group })
  return group
}

/** Returns the items of units that belong together. What continues results comes after all of them. */
function allItems<Item>(units: readonly Unit<Item>[]): readonly KnownItem<Item>[] {
  const [unit] = units
  return unit && units.length === 1
    ? unit
    : [...units.map(([one]) => one), ...units.flatMap(([, ...others]) => others)]
}

function makeGroup<Item>(
  role: HistoryMessage['role'],
  known: readonly KnownItem<Item>[],
  callsById: ReadonlyMap<string, ModelCall>,
): ItemGroup<Item> {
  const calls = known.flatMap(({ is }) => is.calls?.map(({ id }) => id) ?? [])
  const results = known.flatMap(({ is }) => (is.result ? historyResult(is.result, callsById) : []))
  const message = {
    role,
    content: known.map(({ text }) => text).join('\n'),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
  }
  return { items: known.map(({ item }) => item), message }
}

/** Tools whose results may be about a skill. */
const ABOUT_SKILLS: ReadonlySet<string> = new Set(['loadSkill', 'unloadSkill', 'call_tool'])

function historyResult(
  { text, ...read }: NonNullable<ReadItem['result']>,
  callsById: ReadonlyMap<string, ModelCall>,
): HistoryResult {
  const { tool = '', input } = callsById.get(read.call) ?? {}
  if (read.outcome === 'lost' || !ABOUT_SKILLS.has(tool)) return read
  const data = tryOrUndefined(() => JSON.parse(text) as unknown)
  return { ...read, ...skillInResult(tool, data, argumentsOf(input)) }
}
