import { checkFields, definitionError, type FieldRules } from '../../kernel/check-fields.ts'
import { deepFreeze, type JsonSchema, type JsonValue } from '../../kernel/json-value.ts'
import { type Intent, INTENT_MOMENTS, type IntentMoment, IntentType } from './intent.ts'
import { readInputSchema, readSchemaAt } from '../../schema/interpreter/read-schema.ts'
import type { Parsed, SchemaInput, SchemaSource } from '../../schema/interpreter/schema-source.ts'

/** A kind of intent that a session accepts from its tools. `Payload` is undefined if it has no payload. */
export interface IntentDefinition<Payload = never> {
  readonly type: string
  /** The moment when it is applied. An intent with another moment is not accepted. */
  readonly when: IntentMoment
  /** The schema of its payload; null if it has no payload. */
  readonly payloadSchema: JsonSchema | null
  /** Checks a payload with the schema. An absent payload counts as an empty object. */
  parsePayload(value: unknown): Promise<Parsed<unknown>>
  /** Creates the intent, for a handler to return. */
  intent(...payload: undefined extends Payload ? [payload?: Payload] : [payload: Payload]): Intent
}

type PayloadOf<Source> = Source extends SchemaSource ? SchemaInput<Source> : undefined

const INTENT: FieldRules = {
  kind: 'an intent',
  subject: 'Intent',
  code: 'INTENT_INVALID',
  name: { field: 'type', fact: 'intent' },
  fields: ['type', 'when', 'payload'],
  synonyms: { name: 'type', moment: 'when', schema: 'payload', inputSchema: 'payload' },
  hint: 'For example: defineIntent({ type: "HAND_OFF", when: "after-turn" }).',
}

const NAME = /^[\w.:-]{1,64}$/

/**
 * Defines a kind of intent: a request of a tool to the conversation, as data.
 *
 *     const handOff = defineIntent({
 *       type: 'HAND_OFF', when: 'after-turn', payload: z.object({ queue: z.string() }),
 *     })
 *     run: () => succeed('A person takes over.', { intents: [handOff.intent({ queue: 'billing' })] })
 *
 * Throws `INTENT_INVALID` naming the field, or one of the `SCHEMA_` codes.
 */
export function defineIntent<const Source extends SchemaSource | undefined = undefined>(spec: {
  readonly type: string
  readonly when: IntentMoment
  /** The schema of an object, so that members can be added later. Without it, the intent has no payload. */
  readonly payload?: Source
}): IntentDefinition<PayloadOf<Source>> {
  checkFields(spec, INTENT)
  const { type, when, payload: source } = spec
  if (typeof type !== 'string' || !NAME.test(type)) {
    const what = 'must be a name of letters, digits, "_", "-", "." and ":"'
    throw definitionError(spec, 'type', what, INTENT)
  }
  if (!INTENT_MOMENTS.includes(when)) {
    throw definitionError(spec, 'when', `must be one of ${INTENT_MOMENTS.join(', ')}`, INTENT)
  }
  const where = { intent: type, field: 'payload' }
  const schema =
    source === undefined
      ? null
      : readSchemaAt(
          () => `Intent "${type}", field "payload"`,
          where,
          () => readInputSchema(source),
        )
  return deepFreeze<IntentDefinition<PayloadOf<Source>>>({
    type,
    when,
    payloadSchema: schema?.jsonSchema ?? null,
    async parsePayload(value) {
      if (schema) return schema.parse(value ?? {})
      if (value === undefined || value === null) return { ok: true, value }
      return { ok: false, issues: [{ path: '', message: 'must be absent' }] }
    },
    intent: (payload?: unknown) => ({
      type,
      when,
      ...(payload !== undefined && { payload: payload as JsonValue }),
    }),
  })
}

const reason = {
  type: 'object',
  properties: { reason: { type: 'string', maxLength: 1_000 } },
} as const

/**
 * The intents of the published tools architecture, each with its moment. There, only the message has a
 * payload. The reason is an addition for readers of the log.
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
