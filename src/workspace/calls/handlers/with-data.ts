import type { JsonValue } from '../../../kernel/json.ts'
import { isToolResponse } from '../../../tools/response/is-tool-response.ts'
import { attempt } from '../../commands/attempt.ts'

/** JSON leaves out `data: undefined`, without which an envelope is none. */
export function withData(plain: JsonValue, returned: unknown): JsonValue {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain
  const filled: JsonValue = { data: null, ...(plain as { readonly [key: string]: JsonValue }) }
  const had = attempt(() => Object.hasOwn(returned as object, 'data')) ?? false
  const envelope: boolean = had && isToolResponse(filled)
  return envelope ? filled : plain
}
