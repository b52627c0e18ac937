/** The wires that the checker knows: a path, and for Anthropic whether a beta was asked for. */
export const WIRES = ['openai-responses', 'openai-chat', 'anthropic', 'anthropic-beta'] as const

export type Wire = (typeof WIRES)[number]

export type JsonObject = Readonly<Record<string, unknown>>

/** A fault that the checker found in a request, or in a response of its own server. */
export interface Violation {
  /** Which request it is about, counted from 0. */
  readonly request: number
  readonly wire: Wire
  readonly in: 'request' | 'response'
  /** `schema`, or the name of the rule. */
  readonly check: string
  readonly message: string
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
