import type {
  IntentEvent,
  IntentState,
  PendingIntent,
  SessionControls,
} from '../model/intent-event.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { deepFreeze, isObject } from '../../kernel/json-value.ts'
import { IntentType } from '../../tools/intents/intent.ts'

/** Applies an entry about turns and intents. */
export function evolveIntents(state: WorkspaceState, event: IntentEvent): WorkspaceState {
  switch (event.type) {
    case 'turn.ended':
      return { ...state, endedTurn: event.turn }
    case 'intent.taken': {
      const taken = { by: event.taker, until: event.until }
      const intents = state.intents.map((one) => (one.id === event.id ? { ...one, taken } : one))
      return { ...state, intents }
    }
    case 'intent.applied': {
      const applied = state.intents.find(({ id }) => id === event.id)
      const controls = applied ? controlsAfter(applied, state.controls) : state.controls
      return { ...state, ...without(state, event.id), controls }
    }
    case 'intent.failed':
      return { ...state, ...without(state, event.id) }
  }
}

function without({ intents }: IntentState, gone: string): Pick<IntentState, 'intents'> {
  return { intents: intents.filter(({ id }) => id !== gone) }
}

function controlsAfter(
  { type, payload }: PendingIntent,
  controls: SessionControls,
): SessionControls {
  switch (type) {
    case IntentType.END_VOICE_SESSION:
      return { ...controls, ended: true }
    case IntentType.SUPPRESS_AUDIO:
      return { ...controls, audioSuppressed: true }
    case IntentType.SUPPRESS_TRANSCRIPT:
      return { ...controls, transcriptSuppressed: true }
    case IntentType.SET_PENDING_MESSAGE:
      return { ...controls, pendingMessage: messageOf(payload) ?? controls.pendingMessage }
    default:
      return controls
  }
}

/** A host may have replaced the built-in payload by its own. */
function messageOf(payload: PendingIntent['payload']): string | null {
  if (!isObject(payload)) return null
  const { message } = payload as { readonly message?: unknown }
  return typeof message === 'string' ? message : null
}

/**
 * Queues the intents of a call that ended. They are frozen, because handlers get them. Logs written
 * before intents were queued do not mark them, so theirs are not queued.
 */
export function queueIntents(
  { intents, turn }: Pick<WorkspaceState, 'intents' | 'turn'>,
  { seq, event }: Omit<Entry, 'event'> & { readonly event: EventOf<'call.ended'> },
): Pick<IntentState, 'intents'> {
  if (event.intentsWait !== true) return { intents }
  const { call, tool } = event
  const more = event.intents.map((intent, index): PendingIntent => {
    return deepFreeze({ ...intent, id: `${seq}.${index}`, call, tool, turn, taken: null })
  })
  return { intents: [...intents, ...more] }
}
