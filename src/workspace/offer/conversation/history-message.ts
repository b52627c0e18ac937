import { createHash, hash, type Hash } from 'node:crypto'
import type { StepRun } from '../../../engine/model/step-call.ts'
import { canonicalJson } from '../../../kernel/canonical-json.ts'
import { isObject } from '../../../kernel/json-value.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { bridgedTarget } from '../../calls/request/call-request.ts'

/** One message of the host's history, in the terms that all wires share. */
export interface HistoryMessage {
  /** `results` for a message with results of calls, whatever its role on the wire. */
  readonly role: 'user' | 'assistant' | 'results' | 'system'
  /**
   * Everything in it that reaches the provider, except references: equal texts mean equal messages. Binary
   * data is given by digest and size, because the text is counted in tokens.
   */
  readonly content: string
  /** Ids of the calls that the model makes in it. */
  readonly calls?: readonly string[]
  readonly results?: readonly HistoryResult[]
  /** True for a last message that the model continues: nothing may follow it, so what is new waits. */
  readonly continues?: boolean
  /**
   * Returns this message with a text in the place of the results of calls; absent where no result can be withdrawn.
   */
  readonly withdraw?: (withdrawn: WithdrawnResults) => HistoryMessage
}

/** The calls of a message whose results are withdrawn, and the text that the model reads instead of each. */
export interface WithdrawnResults {
  readonly calls: readonly string[]
  readonly text: string
}

/** The result of one call in a history. */
export interface HistoryResult {
  readonly call: string
  /** Absent for a success, and where the wire does not say it. `lost`: it stands for a result that there is none of. */
  readonly outcome?: 'failed' | 'lost'
  /** The skill whose instructions are in it. */
  readonly loads?: string
  /** The skill that it reports as deactivated. */
  readonly unloads?: string
  /** Names of deferred tools to which it refers in the provider's way. */
  readonly references?: readonly string[]
}

/**
 * Returns the skill that a result of `loadSkill` or `unloadSkill` is about, from its data.
 *
 * @param input the arguments of a call of `call_tool`, which name the tool: results of others may have the same members
 */
export function skillInResult(
  tool: string,
  data: unknown,
  input?: unknown,
): Pick<HistoryResult, 'loads' | 'unloads'> {
  if (!isObject(data) || typeof data['skill'] !== 'string') return {}
  const called = tool === 'call_tool' ? bridgedTarget(input)?.tool : tool
  if (called === 'loadSkill') return { loads: data['skill'] }
  return called === 'unloadSkill' ? { unloads: data['skill'] } : {}
}

/** Tools whose results name tools for the model to call. */
const TOOLS_THAT_NAME: ReadonlySet<string> = new Set(['tool_search', 'loadSkill'])

/** Returns the tools in the data of a result that can be called by name from the next request on. */
export function toolsInResult(tool: string, data: unknown): readonly string[] {
  if (!TOOLS_THAT_NAME.has(tool) || !isObject(data) || !Array.isArray(data['tools'])) return []
  return data['tools'].flatMap((one: unknown) => {
    if (!isObject(one) || typeof one['name'] !== 'string') return []
    const { name, callable = 'now', status = 'available' } = one
    return callable !== 'load-first' && status === 'available' ? name : []
  })
}

/** The beginning of each text with the role of the user that the user did not write. */
export const NOT_FROM_USER = 'From the workspace, not from the user.'

/** The beginning of a message with the parts of results, at a provider whose results are text. */
export const PARTS_OF_RESULTS = `${NOT_FROM_USER} The contents of the results above:`

/** A definition that enters the conversation. */
export interface ToolAddition {
  readonly tool: Tool
  /** The conversation had this very definition before: its name is enough, where the provider knows references. */
  readonly known: boolean
}

/** One message of a request, in order. */
export type StepMessage =
  /** A message of the host's history, by its index there. */
  | {
      readonly kind: 'history'
      readonly index: number
      /** The results that it is sent without, as its `withdraw` returns it. Absent when there are none. */
      readonly withdrawn?: WithdrawnResults
    }
  /** A text of the workspace, to send with the role of the user. It says that the user did not write it. */
  | { readonly kind: 'text'; readonly text: string }
  /** A change of the tools. It is the last message, or directly before one of the model. */
  | ToolChangeMessage

/** Tools that enter and leave at one place of the conversation. */
export interface ToolChangeMessage {
  readonly kind: 'tools'
  readonly additions: readonly ToolAddition[]
  /** Names; always empty where the provider cannot remove tools. */
  readonly removals: readonly string[]
}

/** 72 bits. */
const KEY_LENGTH = 12

const keys = new WeakMap<HistoryMessage, string>()

/** Returns the key of a message: 72 bits of the hash of its role and content. */
export function messageKey(message: HistoryMessage): string {
  const known = keys.get(message)
  if (known !== undefined) return known
  const key = keyOf(message.role, message.content)
  keys.set(message, key)
  return key
}

/** A hash of the keys of the latest history that begins with a message. It is copied to go on from there. */
interface HashedHistory {
  readonly history: readonly HistoryMessage[]
  readonly hash: Hash
  readonly key: string
}

const hashed = new WeakMap<HistoryMessage, HashedHistory>()

/** Returns the key of a complete history. Requests with the same key are made for the same step. */
export function historyKey(history: readonly HistoryMessage[]): string {
  const [first] = history
  const before = first && hashed.get(first)
  const known = before && beginsWith(history, before.history) ? before : null
  if (first && known?.history.length === history.length) {
    hashed.set(first, { ...known, history: [...history] })
    return known.key
  }
  const fresh = history.slice(known?.history.length ?? 0).map(messageKey)
  const all = known?.hash.copy().update(' ') ?? createHash('sha256').update('history\n')
  all.update(fresh.join(' '))
  const key = all.copy().digest('base64url').slice(0, KEY_LENGTH)
  if (first) hashed.set(first, { history: [...history], hash: all, key })
  return key
}

/** Returns the key by which a request is known: the name of its step in a run, or the key of its history. */
export function requestKey(history: readonly HistoryMessage[], run?: StepRun): string {
  return run?.step === undefined ? historyKey(history) : keyOf('step', canonicalJson(run))
}

/** Some messages may be copies: a host stores them. */
function beginsWith(all: readonly HistoryMessage[], some: readonly HistoryMessage[]): boolean {
  return (
    some.length <= all.length &&
    some.every((one, at) => {
      const other = all[at] as HistoryMessage
      return one === other || messageKey(one) === messageKey(other)
    })
  )
}

/** Returns true when a list begins with all items of another. */
export function isPrefix(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length > other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

/** Returns the key of a text with a role. */
export function keyOf(role: string, text: string): string {
  return hash('sha256', `${role}\n${text}`, 'base64url').slice(0, KEY_LENGTH)
}
