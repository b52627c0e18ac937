import type { JsonValue } from '../../kernel/json-value.ts'

/** The moment when an orchestrator applies an intent: at once, after the answer, or before the next one. */
export type IntentMoment = 'now' | 'after-turn' | 'next-turn'

export const INTENT_MOMENTS: readonly IntentMoment[] = ['now', 'after-turn', 'next-turn']

/** The intent types of the published tools architecture. Tools may use other names. */
export const IntentType = {
  END_VOICE_SESSION: 'END_VOICE_SESSION',
  SUPPRESS_AUDIO: 'SUPPRESS_AUDIO',
  SUPPRESS_TRANSCRIPT: 'SUPPRESS_TRANSCRIPT',
  SET_PENDING_MESSAGE: 'SET_PENDING_MESSAGE',
} as const

/** A change of session state that a tool asks for and the orchestrator applies. */
export interface Intent {
  readonly type: string
  readonly when: IntentMoment
  readonly payload?: JsonValue
}

/** An intent as a handler returns it. Without `when` it is for the moment of its definition. */
export interface ReturnedIntent extends Omit<Intent, 'when'> {
  readonly when?: IntentMoment
}
