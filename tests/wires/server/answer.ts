import type { JsonObject } from '../wire.ts'

/** A call that the model makes. */
export interface WireCall {
  readonly name: string
  /** The arguments, `{}` without them. */
  readonly input?: unknown
  /** The text of the arguments instead, such as one that was cut or is no JSON. */
  readonly arguments?: string
  /** Made by the server without one. An id that is used twice makes the answer a faulty one. */
  readonly id?: string
  /** OpenAI Responses: `tool_search` is a search that the client runs, `custom` has a text as its input. */
  readonly kind?: 'function' | 'custom' | 'tool_search'
  /** OpenAI Responses: the namespace of the tool. */
  readonly namespace?: string
}

/** The words and calls of a model, and how the answer ends. */
export interface ModelAnswer {
  readonly thinking?: string
  readonly text?: string
  readonly calls?: readonly WireCall[]
  /** Items (OpenAI Responses) or blocks (Anthropic) in the provider's own form, placed before the calls. */
  readonly items?: readonly JsonObject[]
  /** The reason for its end; `end`, or `calls` when there are calls, without it. `pause` is Anthropic's `pause_turn`. */
  readonly stop?: 'end' | 'calls' | 'length' | 'refusal' | 'filter' | 'pause'
  readonly usage?: {
    /** Of the prompt, with those of the cache. */
    readonly input?: number
    readonly cached?: number
    readonly written?: number
    readonly output?: number
    readonly reasoning?: number
  }
  /** The provider's diagnosis of its cache, in its own form. */
  readonly diagnosis?: JsonObject
  /** The connection is cut, or an error is sent, after so many events of a streamed answer. */
  readonly broken?: { readonly by: 'drop' | 'error'; readonly after: number }
  /** The answer is wrong on purpose: it is not checked. */
  readonly faulty?: true
}

/** An answer with an error status, in the provider's form. */
export interface ErrorAnswer {
  readonly status: number
  readonly message?: string
  /** Such as `invalid_request_error`; by the status without it. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The bytes of an answer, written by hand: it is not checked. */
export interface RawAnswer {
  readonly raw: string | readonly string[]
  readonly contentType?: string
  /** The connection is cut after the last of them. */
  readonly drop?: true
}

/** A text, calls, or one of the longer forms. */
export type Answer = string | readonly WireCall[] | ModelAnswer | ErrorAnswer | RawAnswer

/** Gives every answer of a model its longer form. */
export function readAnswer(answer: Answer): ModelAnswer | ErrorAnswer | RawAnswer {
  if (typeof answer === 'string') return { text: answer }
  return isCalls(answer) ? { calls: answer } : answer
}

function isCalls(answer: Answer): answer is readonly WireCall[] {
  return Array.isArray(answer)
}

export function argumentsOf(call: WireCall): string {
  return call.arguments ?? JSON.stringify(call.input ?? {})
}

export function stopOf({ stop, calls = [] }: ModelAnswer): NonNullable<ModelAnswer['stop']> {
  return stop ?? (calls.length > 0 ? 'calls' : 'end')
}

/** Cuts a text as a stream would, into pieces of eight characters; an empty text has none. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/[^]{1,8}/gu) ?? []
}
