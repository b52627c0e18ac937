import { REQUEST_RULES } from './rules/request-rules.ts'
import { openWireSchemas } from './schemas/wire-schemas.ts'
import type { JsonObject, Violation, Wire } from './wire.ts'

/** The part of a conversation that a provider keeps, and a request continues. */
export interface EarlierConversation {
  /** Items or messages, in order. */
  readonly items: readonly JsonObject[]
  /** The tools, where the request need not say them again. */
  readonly tools: readonly JsonObject[]
  /** Items by the id that an `item_reference` has; references are not looked up where it is absent. */
  readonly stored?: ReadonlyMap<string, JsonObject>
}

export const NOTHING_EARLIER: EarlierConversation = { items: [], tools: [] }

/** A request as the rules see it. */
export interface RequestToCheck {
  readonly wire: Wire
  readonly body: JsonObject
  /** The betas of the header `anthropic-beta`. */
  readonly betas: readonly string[]
  readonly earlier: EarlierConversation
}

/** Returns what is wrong with a request: by the types of the official SDK, then by the rules. */
export async function checkRequest(
  request: RequestToCheck,
  number = 0,
): Promise<readonly Violation[]> {
  const { wire, body } = request
  const check = await openWireSchemas(wire)
  const at = { request: number, wire, in: 'request' } as const
  return [
    ...check('request', body).map((message) => ({ ...at, check: 'schema', message })),
    ...REQUEST_RULES.filter((rule) => rule.wires.includes(wire)).flatMap((rule) =>
      rule.faults(request).map((message) => ({ ...at, check: rule.name, message })),
    ),
  ]
}
