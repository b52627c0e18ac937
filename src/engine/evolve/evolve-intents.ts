import type {
  IntentEvent,
  IntentState,
  PendingIntent,
  SessionControls,
} from '../model/intent-event.ts'
import type { Entry, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { deepFreeze, isObject } from '../../kernel/json-value.ts'
import { IntentType } from '../../tools/intents/intent.ts'

/** Apply an entry about turns and intents. */
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

type CallEnded = Extract<WorkspaceEvent, { type: 'call.ended' }>

/**
 * The intents that wait after a call ended, frozen, since handlers get them. Nobody waits for those of logs
 * from before they did.
 */
export function queueIntents(
  { intents, turn }: Pick<WorkspaceState, 'intents' | 'turn'>,
  { seq, event }: Omit<Entry, 'event'> & { readonly event: CallEnded },
): Pick<IntentState, 'intents'> {
  if (event.intentsWait !== true) return { intents }
  const { call, tool } = event
  const more = event.intents.map((intent, index): PendingIntent => {
    return deepFreeze({ ...intent, id: `${seq}.${index}`, call, tool, turn, taken: null })
  })
  return { intents: [...intents, ...more] }
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

/** A host may have put a payload of its own in the place of the built-in one. */
function messageOf(payload: PendingIntent['payload']): string | null {
  if (!isObject(payload)) return null
  const { message } = payload as { readonly message?: unknown }
  return typeof message === 'string' ? message : null
}
