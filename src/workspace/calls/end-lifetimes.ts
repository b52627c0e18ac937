import type { SessionJournal } from '../commands/session-journal.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { endedLifetimes } from '../../engine/standing/ended-lifetimes.ts'
import type { DeskParts } from './desk-parts.ts'
import { checkCommand, type CommandOptions, type Outcome } from '../commands/outcome.ts'

/** Begins a turn, with services of its own if some are given. See `VirtualWorkspace.beginTurn`. */
export async function beginTurn(
  parts: DeskParts,
  options: CommandOptions & { readonly services?: unknown } = {},
): Promise<Outcome> {
  checkCommand({}, options, { services: true })
  const { by = 'host', services } = options
  const outcome = await parts.dispatcher.dispatch({ type: 'turn.begin' }, { by })
  if (!outcome.ok) return outcome
  parts.services = services ?? parts.sessionServices
  await endLifetimes(parts)
  return outcome
}

/**
 * Deactivates the skills whose lifetime has ended: after a call, and when a turn begins. When the log or
 * a hook refuses one, it is tried again the next time.
 *
 * A running call keeps its skill active, so calls that have ended without an entry are recorded first,
 * and calls whose process is gone are abandoned.
 */
export async function endLifetimes(parts: DeskParts): Promise<void> {
  const { store, inFlight } = parts
  for (const end of inFlight.takeUnrecordedEnds()) {
    const outcome = await dispatchOrNull(parts, end.command, end.cause)
    if (outcome === null) inFlight.keepEnd(end)
  }
  if (store.getState().state.calls.length > 0) await abandonLostCalls(parts)
  for (const skill of endedLifetimes(store.getState().state)) await deactivateExpired(skill, parts)
}

/**
 * Abandons the calls that no process can still be running: not this one, and no other that keeps to
 * their time limit and the time to drain. Whether their handlers did anything is unknown.
 *
 * @param isOnlyProcess true when there is no other process: then a call that this one does not run is lost
 */
export async function abandonLostCalls(parts: DeskParts, isOnlyProcess = false): Promise<void> {
  const { store, inFlight, limits, clock } = parts
  for (const { call, startedAt, limitMs } of store.getState().state.calls) {
    // A call without a limit has, for other processes, that of the background.
    const afterMs = isOnlyProcess ? -Infinity : (limitMs ?? limits.backgroundMs) + limits.drainMs
    if (inFlight.isRunning(call) || clock.now() < startedAt + afterMs) continue
    const command = { type: 'call.abandon', call, afterMs } as const
    await dispatchOrNull(parts, command, {
      by: 'policy',
      rule: isOnlyProcess ? 'only process' : 'time limit',
    })
  }
}

/** Each attempt runs and undoes the hooks of the skill, and leaves a refusal in the log. */
const MAX_TRIES = 5

/** Deactivates a skill; tries again when other processes append entries while its hooks run. */
async function deactivateExpired(skill: string, parts: DeskParts): Promise<void> {
  const command = { type: 'skill.deactivate', skill } as const
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const outcome = await dispatchOrNull(parts, command, { by: 'lifetime', of: skill })
    if (outcome === null || outcome.ok || outcome.code !== 'conflict') return
    if (!endedLifetimes(parts.store.getState().state).includes(skill)) return
  }
}

/** Returns the outcome of a command; null when the log could not take it. */
async function dispatchOrNull(
  { dispatcher }: SessionJournal,
  command: Command,
  cause: Cause,
): Promise<Outcome | null> {
  try {
    return await dispatcher.dispatch(command, cause)
  } catch {
    return null
  }
}
