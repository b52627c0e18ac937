import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { decide } from '../../engine/decide/decide.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import type { CallLimits } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import { closedSkills } from '../commands/closed-skills.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import { runningHookOf } from '../commands/hook-scope.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { SessionStore } from '../commands/session-store.ts'

interface DrainParts {
  readonly dispatcher: Dispatcher
  readonly store: SessionStore
  readonly surroundings: Surroundings
  readonly inFlight: CallsInFlight
  readonly limits: CallLimits
}

/**
 * Queue a command once the calls of the skills it would put away have ended, or had their time
 * to: a call ends by a command of its own, so the queue cannot wait for it.
 *
 * A command that would put nothing away, or is refused, is queued at once and in its turn.
 */
export function dispatchDrained(
  command: Command,
  cause: Cause,
  { dispatcher, store, surroundings, inFlight, limits }: DrainParts,
): Promise<Outcome> {
  const send = () => dispatcher.dispatch(command, cause)
  if (inFlight.isIdle || runningHookOf(dispatcher)) return send()
  const order = { command, cause, now: 0, id: '' }
  const leaving = closedSkills(decide(store.getState().state, order, surroundings).drafts)
  return leaving.length === 0 ? send() : inFlight.drain(leaving, limits.drainMs).then(send)
}
