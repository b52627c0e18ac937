import type { HandlerOutcome } from './handler-outcome.ts'
import type { Intent, IntentMoment } from '../intents/intent.ts'

const SUCCESS_MEMBERS: readonly string[] = ['ok', 'data', 'intents', 'meta']
const FAILURE_MEMBERS: readonly string[] = ['ok', 'error', 'meta']

const MOMENTS: Readonly<Record<IntentMoment, true>> = {
  now: true,
  'after-turn': true,
  'next-turn': true,
}

/**
 * Tell an envelope from plain data that merely has a member `ok`.
 *
 * An envelope has no members but its own, so `{ ok: true, count: 3 }` is data. The type of an
 * error may be one we do not know; it is still a failure. Give it a plain copy of what the
 * handler returned: getters and proxies of the original may throw.
 */
export function isToolResponse(value: unknown): value is HandlerOutcome {
  if (!isObject(value)) return false
  const has = (names: readonly string[]) => Object.keys(value).every((name) => names.includes(name))
  if (value['ok'] === true) {
    const { intents, meta } = value
    return (
      Object.hasOwn(value, 'data') &&
      has(SUCCESS_MEMBERS) &&
      (intents === undefined || (Array.isArray(intents) && intents.every(isIntent))) &&
      (meta === undefined || isObject(meta))
    )
  }
  const { error } = value
  return (
    value['ok'] === false &&
    has(FAILURE_MEMBERS) &&
    isObject(error) &&
    typeof error['type'] === 'string' &&
    typeof error['message'] === 'string'
  )
}

function isIntent(value: unknown): value is Intent {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    typeof value['when'] === 'string' &&
    Object.hasOwn(MOMENTS, value['when'])
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
