import type { OptionsOf } from '../../kernel/check-options.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { SentContentPart } from '../../tools/response/sent-media-type.ts'
import { isObject, wellFormedJson } from '../../kernel/json-value.ts'
import { type AnswerOptions, argumentsOf } from '../calls/call-answers.ts'
import type { WorkspaceStep } from '../offer/workspace-step.ts'
import type {
  HistoryMessage,
  HistoryResult,
  ToolChangeMessage,
} from '../offer/conversation/history-message.ts'
import type { Carried } from '../offer/exposure/plan-exposure.ts'
import type { ConversationOptions, ReadUsage } from './model-conversation.ts'

/** The types of one wire. */
export interface WireTypes {
  /** One item of a history: a message, or a part of one. */
  item: object
  /** The parts of a request that come from the workspace. */
  request: object
  /** The answer to a request. */
  answer: object
  /** A tool in a request. */
  tool: object
  /** The options of the host. The facts of a `model` decide what its requests may have. */
  options: ConversationOptions & { readonly model?: string }
  /** A reference to the history that a provider keeps; `undefined` where none does. */
  kept: object | undefined
  /** A client, and the options with which `run` uses it. */
  client: unknown
  run: RunOptions
}

/** Limits of a run, and the options of its calls. */
export interface RunOptions extends AnswerOptions {
  /** Requests at most; 20 by default. */
  readonly maxSteps?: number
}

/** A call of the model in the terms of all wires. */
export interface WireCall {
  readonly id: string
  /** The name that the model wrote. */
  readonly name: string
  /** The provider's namespace, which addresses a tool as one of several owners. */
  readonly namespace?: string
  /** The arguments: an object, or their text as it came. */
  readonly input: unknown
  /** The provider's program that makes the call. Its result goes back with it. */
  readonly program?: object
}

/** A result to write. */
export interface WireResult extends Pick<WireCall, 'id' | 'program'> {
  /** The name of its call in the history. */
  readonly name: string
  /** Everything that the model reads of it, as text. */
  readonly text: string
  /** Its parts, where a tool returned parts. Each has a text, for a wire without a form for its data. */
  readonly parts?: readonly SentContentPart[]
  readonly isError: boolean
  /** The deferred tools that it names, under the names that the provider has. */
  readonly references: readonly string[]
}

/** One item of a history, as the wire reads it. */
export interface ReadItem<Call = WireCall> {
  readonly role: HistoryMessage['role']
  readonly calls?: readonly Call[]
  /**
   * The result that it carries: its call, its first text, and the sent names of tools that it refers to. Absent for what
   * follows the item before it and belongs there, such as the result of a call that the host answers.
   */
  readonly result?: Pick<HistoryResult, 'call' | 'references' | 'outcome'> & {
    readonly text: string
  }
  /** Everything of it that reaches the provider, except references; the item itself when absent. */
  readonly sent?: object
}

/** An answer of a model, as the wire reads it. */
export interface ReadAnswer<Wire extends WireTypes> {
  /** `continue` for one that the model continues in the next request, although it makes no call. */
  readonly status: 'done' | 'continue' | 'cut'
  /** The provider's reason to stop the answer, where none of its calls counts, such as a filter. */
  readonly stopped?: string
  /** Its calls. An id may be missing, and `isCut` marks the call in which the answer ended. */
  readonly calls: readonly (Omit<WireCall, 'id'> & {
    readonly id: unknown
    readonly isCut?: boolean
  })[]
  /** Returns what to send back of it, with its calls in a form that the provider takes, in their order. */
  items(calls: readonly SentCall[]): readonly Wire['item'][]
  /** Members that only the next request has, such as the container of a program. */
  readonly next?: Partial<Wire['request']> | false
}

/** A call in a form that every provider takes: a legal name and id, and arguments that are JSON. */
export interface SentCall extends Pick<WireCall, 'id' | 'name'> {
  readonly input: object
  /** The same as text. */
  readonly text: string
}

/** Returns arguments that a provider takes; null for those that are no JSON. */
export function legalArguments(given: unknown): Pick<SentCall, 'input' | 'text'> | null {
  const input = argumentsOf(given)
  if (input === given && !isObject(given)) return null
  const isText = typeof given === 'string' && given.trim() !== ''
  return {
    input: isObject(input) ? input : {},
    text: isText ? wellFormedJson(given) : JSON.stringify(input),
  }
}

/** The content of one request. */
interface WireStep<Wire extends WireTypes> {
  readonly step: WorkspaceStep
  readonly options: Wire['options']
  readonly tools: readonly Wire['tool'][]
  /** Messages of the system at the start of the history. */
  readonly leading: readonly Wire['item'][]
  /** Everything after them: the history, and what the workspace adds. */
  readonly messages: readonly Wire['item'][]
  /** The key of the session for a provider's cache, of at most 64 characters. */
  readonly cacheKey: string
  readonly kept: Wire['kept']
  /** The id of the answer before; absent before the first. */
  readonly compare?: string | undefined
  /** See `ReadAnswer`. */
  readonly next: Partial<Wire['request']>
}

/** The reading of the items of a history, and the writing of results. */
export interface HistoryForm<Item> {
  /** True when an item of the model is a complete answer, not a part of one. */
  readonly hasWholeAnswers: boolean
  /** Splits an item, so that each piece has one result at most. */
  pieces?(item: Item): readonly Item[]
  read(item: Item): ReadItem
  /** Writes the results of one answer, in their order. */
  results(results: readonly WireResult[]): readonly Item[]
}

/** Something that not every model takes: a way of changing tools, or the files of results. */
type WireWay = Carried | 'files'

/**
 * The knowledge of one wire: reading and writing. It decides nothing, stores nothing, and has one object for all conversations: what was
 * read and written is kept by it.
 */
export interface ConversationForm<Wire extends WireTypes> extends HistoryForm<Wire['item']> {
  /** The kinds of the options that only this wire has. */
  readonly options: OptionsOf<Omit<Wire['options'], keyof ConversationOptions>>
  /** The ways that it can write. */
  readonly ways: readonly WireWay[]
  /** The words by which a provider refuses some of the ways. Later requests do not have them. */
  readonly refusals: readonly { readonly ways: readonly WireWay[]; readonly words: RegExp }[]
  /** True when the model continues an answer at the end of the history, so that nothing may follow it. */
  readonly continuesAnswers?: boolean
  /** The most characters of the id of a call. With it, a missing, repeated or longer id is replaced. */
  readonly idLength?: number
  /**
   * Returns an item without the files of results, which are refused: the item itself where it has none, and null for
   * one that is nothing else.
   */
  readonly withoutFiles?: (item: Wire['item']) => Wire['item'] | null
  /** Writes a text of the workspace, with the role of the user. */
  text(text: string): Wire['item']
  /** Writes a tool, once for each definition. */
  tool(tool: Tool, isDeferred: boolean): Wire['tool']
  toolChange?(
    change: ToolChangeMessage,
    write: (tool: Tool) => Wire['tool'],
  ): readonly Wire['item'][]
  /**
   * Writes items that belong together: an answer, its results, or one message; unchanged when absent.
   *
   * @param callable the sent names of tools to which results may refer
   */
  group?(
    items: readonly Wire['item'][],
    role: HistoryMessage['role'],
    callable: ReadonlySet<string>,
  ): readonly Wire['item'][]
  request(step: WireStep<Wire>): Wire['request']
  /** Reads an answer; null for one without an end, of which nothing counts. */
  answer(answer: Wire['answer']): ReadAnswer<Wire> | null
  /** Reads what the provider counted for an answer; null for one that does not say. */
  usage?(answer: Wire['answer']): ReadUsage | null
  /** Returns true for a request without the breakpoints that the cache of its provider needs. */
  isUnmarked?(request: Wire['request']): boolean
  /**
   * Returns the host's history, to which a run appends, and the function that makes a request. Absent for the form of a
   * runtime that has a loop of its own.
   */
  open?(
    client: Wire['client'],
    run: Omit<Wire['run'], 'maxSteps' | Exclude<keyof AnswerOptions, 'signal'>>,
  ): {
    readonly history: Wire['item'][]
    send(request: Wire['request']): Promise<Wire['answer']>
  }
}
