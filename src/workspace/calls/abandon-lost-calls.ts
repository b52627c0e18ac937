import type { CallLimits } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import type { Clock } from '../log/ports.ts'
import type { SessionStore } from '../commands/session-store.ts'

interface LostCallParts {
  readonly store: SessionStore
  readonly dispatcher: Dispatcher
  readonly inFlight: CallsInFlight
  readonly limits: CallLimits
  readonly clock: Clock
}

/**
 * Give up the calls that no process can be running any more: not this one, and no other that keeps to
 * their time limit, with the time to drain on top. Whether their handlers did anything, nobody can say.
 */
export async function abandonLostCalls({
  store,
  dispatcher,
  inFlight,
  limits,
  clock,
}: LostCallParts): Promise<void> {
  for (const { call, startedAt, limitMs } of store.getState().state.calls) {
    const afterMs = (limitMs ?? limits.timeoutMs) + limits.drainMs
    if (inFlight.isRunning(call) || clock.now() < startedAt + afterMs) continue
    const command = { type: 'call.abandon', call, afterMs } as const
    await dispatcher.dispatch(command, { by: 'policy', rule: 'time limit' }).catch(() => undefined)
  }
}
