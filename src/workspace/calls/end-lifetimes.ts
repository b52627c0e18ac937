import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { endedLifetimes } from '../../engine/standing/ended-lifetimes.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'

/** Each time the hooks run and are taken back, and the log gets a refusal. */
const MAX_TRIES = 5

/**
 * Put away the skills whose lifetime has ended: after a call, and when a turn begins. One that the
 * log, or a hook, does not let go now is tried again the next time.
 *
 * A call that runs holds its skill, so ends of calls that the log could not take are told first, and
 * calls whose process is gone are given up.
 */
export async function endLifetimes(parts: CallPipelineParts): Promise<void> {
  const { store, dispatcher, inFlight } = parts
  for (const end of inFlight.takeUntold()) {
    await dispatcher.dispatch(end.command, end.cause).catch(() => inFlight.owe(end))
  }
  await abandonLostCalls(parts)
  for (const skill of endedLifetimes(store.getState().state)) {
    await deactivateExpired(skill, parts)
  }
}

/** What other processes append while the hooks run is no reason to keep the skill. */
async function deactivateExpired(
  skill: string,
  { store, dispatcher }: CallPipelineParts,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const outcome = await dispatcher.dispatch(...deactivation(skill)).catch(() => null)
    if (outcome === null || outcome.ok || outcome.code !== 'conflict') return
    if (!endedLifetimes(store.getState().state).includes(skill)) return
  }
}

/** The same before the call returns. One with hooks has to wait for who awaits. */
export function endLifetimesNow({
  store,
  dispatcher,
}: Pick<CallPipelineParts, 'store' | 'dispatcher'>): void {
  for (const skill of endedLifetimes(store.getState().state)) {
    try {
      dispatcher.dispatchNow(...deactivation(skill))
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
    }
  }
}

function deactivation(skill: string): [Command, Cause] {
  return [
    { type: 'skill.deactivate', skill },
    { by: 'lifetime', of: skill },
  ]
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
}: CallPipelineParts): Promise<void> {
  for (const { call, startedAt, limitMs } of store.getState().state.calls) {
    const afterMs = (limitMs ?? limits.timeoutMs) + limits.drainMs
    if (inFlight.isRunning(call) || clock.now() < startedAt + afterMs) continue
    const command = { type: 'call.abandon', call, afterMs } as const
    await dispatcher.dispatch(command, { by: 'policy', rule: 'time limit' }).catch(() => undefined)
  }
}
