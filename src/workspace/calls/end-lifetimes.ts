import { endedLifetimes } from '../../engine/standing/ended-lifetimes.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { Dispatch } from '../commands/dispatcher.ts'
import { checkCommand, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import { type MaybeAsync, runAsync, waitFor } from '../log/maybe-async.ts'

/** Begins a turn, with services of its own if some are given. See `VirtualWorkspace.beginTurn`. */
export async function beginTurn(
  parts: CallPipelineParts,
  options: CommandOptions & { readonly services?: unknown } = {},
): Promise<Outcome> {
  checkCommand({}, options, { services: true })
  const { by = 'host', services } = options
  const outcome = await parts.dispatcher.dispatch({ type: 'turn.begin' }, { by })
  if (!outcome.ok) return outcome
  parts.services = services ?? parts.sessionServices
  await runAsync(endLifetimes(parts))
  return outcome
}

/**
 * Deactivates the skills whose lifetime has ended: after a call, and when a turn begins. When the log or
 * a hook refuses one, it is tried again the next time.
 *
 * A running call keeps its skill active, so calls that have ended without an entry are recorded first,
 * and calls whose process is gone are abandoned.
 */
export function* endLifetimes(
  parts: CallPipelineParts,
  dispatch: Dispatch = (command, cause) => parts.dispatcher.dispatch(command, cause),
): MaybeAsync<void> {
  const { store, inFlight } = parts
  for (const end of inFlight.takeUnrecordedEnds()) {
    const outcome = yield* dispatchOrNull(dispatch, end.command, end.cause)
    if (outcome === null) inFlight.keepEnd(end)
  }
  yield* abandonLostCalls(parts, dispatch)
  for (const skill of endedLifetimes(store.getState().state)) {
    yield* deactivateExpired(skill, parts, dispatch)
  }
}

/**
 * Abandons the calls that no process can still be running: not this one, and no other that keeps to
 * their time limit and the time to drain. Whether their handlers did anything is unknown.
 *
 * @param isOnlyProcess true when there is no other process: then a call that this one does not run is lost
 */
export function* abandonLostCalls(
  { store, inFlight, limits, clock }: CallPipelineParts,
  dispatch: Dispatch,
  isOnlyProcess = false,
): MaybeAsync<void> {
  for (const { call, startedAt, limitMs } of store.getState().state.calls) {
    // A call without a limit has, for other processes, that of the background.
    const afterMs = isOnlyProcess ? -Infinity : (limitMs ?? limits.backgroundMs) + limits.drainMs
    if (inFlight.isRunning(call) || clock.now() < startedAt + afterMs) continue
    const command = { type: 'call.abandon', call, afterMs } as const
    yield* dispatchOrNull(dispatch, command, {
      by: 'policy',
      rule: isOnlyProcess ? 'only process' : 'time limit',
    })
  }
}

/** Each attempt runs and undoes the hooks of the skill, and leaves a refusal in the log. */
const MAX_TRIES = 5

/** Deactivates a skill; tries again when other processes append entries while its hooks run. */
function* deactivateExpired(
  skill: string,
  { store }: CallPipelineParts,
  dispatch: Dispatch,
): MaybeAsync<void> {
  const command = { type: 'skill.deactivate', skill } as const
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const outcome = yield* dispatchOrNull(dispatch, command, { by: 'lifetime', of: skill })
    if (outcome === null || outcome.ok || outcome.code !== 'conflict') return
    if (!endedLifetimes(store.getState().state).includes(skill)) return
  }
}

/** Returns the outcome of a command; null when the log could not take it. */
function* dispatchOrNull(
  dispatch: Dispatch,
  ...command: Parameters<Dispatch>
): MaybeAsync<Outcome | null> {
  try {
    return yield* waitFor(dispatch(...command))
  } catch {
    return null
  }
}
