import { spentLifetimes } from '../engine/spent-lifetimes.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { SessionStore } from './session-store.ts'

interface LifetimeParts {
  readonly store: SessionStore
  readonly dispatcher: Dispatcher
}

/**
 * Put away the skills whose lifetime has ended: after a call, and when a turn begins. One that the
 * log, or a hook, does not let go now is tried again the next time.
 */
export async function endLifetimes({ store, dispatcher }: LifetimeParts): Promise<void> {
  for (const skill of spentLifetimes(store.getState().state)) {
    const command = { type: 'skill.deactivate' as const, skill }
    await dispatcher.dispatch(command, { by: 'lifetime', of: skill }).catch(() => undefined)
  }
}
