import type { JsonValue } from '../../kernel/json-value.ts'

/** When an orchestrator applies an intent: at once, when the answer is complete, or before the next one. */
export type IntentMoment = 'now' | 'after-turn' | 'next-turn'

export const INTENT_MOMENTS: readonly IntentMoment[] = ['now', 'after-turn', 'next-turn']

/** Intent types of the published tools architecture; tools may use names of their own. */
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
