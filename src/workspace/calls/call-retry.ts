import type { ResponseError } from '../../tools/response/tool-response.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { CallLimits } from './call-request.ts'
import { attempt } from '../commands/attempt.ts'
import type { Randomness } from '../log/randomness.ts'

/** The longest delay before the first retry; it doubles with each, up to the other. Milliseconds. */
const FIRST_MS = 200
const LONGEST_MS = 10_000

/** How often a failed call of a tool may be tried again: never, where that may do a thing twice. */
export function retriesOf(
  { idempotent, retries }: Pick<Tool, 'idempotent' | 'retries'>,
  limits: Pick<CallLimits, 'retries'>,
): number {
  return idempotent ? (retries ?? limits.retries) : 0
}

/**
 * Milliseconds until a failed call is tried again: anything from nothing to a limit that doubles
 * (full jitter, so that many callers do not come back at once), after whatever time the failure
 * itself asks for in `details.retryAfterMs`.
 *
 * @param failed which attempt failed, from 1
 */
export function retryDelay(
  { details }: Pick<ResponseError, 'details'>,
  failed: number,
  randomness: Randomness,
): number {
  const asked = details['retryAfterMs']
  const least = typeof asked === 'number' && asked > 0 && Number.isFinite(asked) ? asked : 0
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failed - 1))
  return least + fraction(attempt(randomness)) * most
}

/** A host's source may give anything, or throw. */
function fraction(given: unknown): number {
  return typeof given === 'number' && given >= 0 && given <= 1 ? given : 1
}
