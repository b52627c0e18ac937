/** The wires that the checker knows: a path, and for Anthropic whether a beta was asked for. */
export const WIRES = ['openai-responses', 'openai-chat', 'anthropic', 'anthropic-beta'] as const

/** The Gemini API has nothing in common with them but its purpose: it has schemas and rules of its own. */
export type Wire = (typeof WIRES)[number] | 'gemini'

export const OPENAI_WIRES = ['openai-responses', 'openai-chat'] as const satisfies readonly Wire[]

export const ANTHROPIC_WIRES = ['anthropic', 'anthropic-beta'] as const satisfies readonly Wire[]

export type JsonObject = Readonly<Record<string, unknown>>

/** A fault that the checker found in a request, or in a response of its own server. */
export interface Violation {
  /** The number of the request, from 0. */
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

/** The objects of a list; nothing for any other value. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A member of an object that is a string, or an empty string. */
export function textOf(object: JsonObject | undefined, member: string): string {
  const value = object?.[member]
  return typeof value === 'string' ? value : ''
}

/** The values that occur more than once, each once. */
export function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
