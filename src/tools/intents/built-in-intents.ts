import { defineIntent } from './define-intent.ts'
import type { IntentDefinition } from './intent-definition.ts'
import { IntentType } from './intent.ts'

const reason = {
  type: 'object',
  properties: { reason: { type: 'string', maxLength: 1_000 } },
} as const

/**
 * The intents of the published tools architecture, each with its moment. It gives them no payloads, but
 * for the message; a reason helps whoever reads the log.
 */
export const BUILT_IN_INTENTS: readonly IntentDefinition[] = [
  defineIntent({ type: IntentType.END_VOICE_SESSION, when: 'after-turn', payload: reason }),
  defineIntent({ type: IntentType.SUPPRESS_AUDIO, when: 'now', payload: reason }),
  defineIntent({ type: IntentType.SUPPRESS_TRANSCRIPT, when: 'now', payload: reason }),
  defineIntent({
    type: IntentType.SET_PENDING_MESSAGE,
    when: 'next-turn',
    payload: {
      type: 'object',
      properties: { message: { type: 'string', minLength: 1, maxLength: 8_000 } },
      required: ['message'],
    },
  }),
]
