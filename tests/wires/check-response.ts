import { openWireSchemas } from './schemas/wire-schemas.ts'
import type { StreamEvent } from './server/wire-form.ts'
import { isObject, type JsonObject, type Violation, type Wire } from './wire.ts'

/** Returns what is wrong with a response that the server is about to send. */
export async function checkResponse(
  wire: Wire,
  response: JsonObject | readonly StreamEvent[],
  number = 0,
): Promise<readonly Violation[]> {
  const check = await openWireSchemas(wire)
  const reasons = isObject(response)
    ? check('response', response)
    : response.flatMap(({ data }) => (isUntyped(data) ? [] : check('event', data)))
  return reasons.map((message) => ({
    request: number,
    wire,
    in: 'response',
    check: 'schema',
    message,
  }))
}

/** Events that the providers send and the types of their SDKs do not have. */
function isUntyped(data: StreamEvent['data']): boolean {
  return data === '[DONE]' || data.type === 'ping' || 'error' in data
}
