import type { RequestToCheck } from './check-request.ts'
import { callsOf } from './rules/calls-of.ts'
import { dataOf, RESPONSE_RULES, type ResponseToCheck } from './rules/response-rules.ts'
import { openWireSchemas } from './schemas/wire-schemas.ts'
import type { StreamEvent } from './server/wire-form.ts'
import { isObject, type JsonObject, type Violation } from './wire.ts'

/** Returns what is wrong with the answer to a request, by the types of the official SDK and by the rules. */
export async function checkResponse(
  request: RequestToCheck,
  sent: JsonObject | readonly StreamEvent[],
  number = 0,
): Promise<readonly Violation[]> {
  const { wire } = request
  const check = await openWireSchemas(wire)
  const earlierCalls = callsOf(request)
    .filter(({ kind }) => kind === 'call')
    .map(({ id }) => id)
  const response: ResponseToCheck = isObject(sent)
    ? { wire, whole: sent, earlierCalls }
    : { wire, events: dataOf(sent), isDone: sent.at(-1)?.data === '[DONE]', earlierCalls }
  const reasons = isObject(sent)
    ? check('response', sent)
    : dataOf(sent).flatMap((data) => (data.type === 'ping' ? [] : check('event', data)))
  const at = { request: number, wire, in: 'response' } as const
  return [
    ...reasons.map((message) => ({ ...at, check: 'schema', message })),
    ...RESPONSE_RULES.filter(({ wires }) => wires.includes(wire)).flatMap((rule) =>
      rule.faults(response).map((message) => ({ ...at, check: rule.name, message })),
    ),
  ]
}
