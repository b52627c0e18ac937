import { deepFreeze, type JsonSchema, type JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type Intent, INTENT_MOMENTS, type IntentMoment, IntentType } from './intent.ts'
import { readInputSchema, type ReadSchema } from '../schema/read-schema.ts'
import type { Parsed, SchemaInput, SchemaSource } from '../schema/schema-source.ts'

/** A kind of intent that a session takes from its tools. `Payload` is undefined for one without. */
export interface IntentDefinition<Payload = never> {
  readonly type: string
  /** When it is applied; an intent that says another moment is not taken. */
  readonly when: IntentMoment
  /** What its payload has to look like; null for one that has none. */
  readonly payloadSchema: JsonSchema | null
  /** Hold a payload to the schema; one that is absent counts as empty. */
  parsePayload(value: unknown): Promise<Parsed<unknown>>
  /** The intent itself, for a handler to return. */
  intent(...payload: undefined extends Payload ? [payload?: Payload] : [payload: Payload]): Intent
}

interface IntentSpec<Payload> {
  readonly type: string
  readonly when: IntentMoment
  /** Always an object, so that members can be added later; without one the intent has no payload. */
  readonly payload?: Payload
}

type PayloadOf<Source> = Source extends SchemaSource ? SchemaInput<Source> : undefined

/**
 * Define a kind of intent: what a tool asks of the conversation around it, as data.
 *
 *     const handOff = defineIntent({
 *       type: 'HAND_OFF', when: 'after-turn', payload: z.object({ queue: z.string() }),
 *     })
 *     run: () => succeed('A person takes over.', { intents: [handOff.intent({ queue: 'billing' })] })
 *
 * Throws `INTENT_INVALID` naming the field, or one of the `SCHEMA_` codes.
 */
export function defineIntent<const Source extends SchemaSource | undefined = undefined>({
  type,
  when,
  payload: source,
}: IntentSpec<Source>): IntentDefinition<PayloadOf<Source>> {
  if (typeof type !== 'string' || !NAME.test(type)) {
    throw invalid(type, 'type', 'must be a name of letters, digits, "_", "-", "." and ":"')
  }
  if (!INTENT_MOMENTS.includes(when)) {
    throw invalid(type, 'when', `must be one of ${INTENT_MOMENTS.join(', ')}`)
  }
  const schema = source === undefined ? null : readPayloadSchema(type, source)
  return deepFreeze<IntentDefinition<PayloadOf<Source>>>({
    type,
    when,
    payloadSchema: schema?.jsonSchema ?? null,
    parsePayload: (value) => (schema ? schema.parse(value ?? {}) : parseNothing(value)),
    intent: (payload?: unknown) => ({
      type,
      when,
      ...(payload !== undefined && { payload: payload as JsonValue }),
    }),
  })
}

function readPayloadSchema(intent: string, source: SchemaSource): ReadSchema {
  try {
    return readInputSchema(source)
  } catch (cause) {
    if (!WorkspaceError.is(cause)) throw cause
    const { code, message, facts, hint } = cause
    throw new WorkspaceError(code, `Intent "${intent}", field "payload": ${message}`, {
      facts: { ...facts, intent, field: 'payload' },
      hint,
      cause,
    })
  }
}

const NAME = /^[\w.:-]{1,64}$/

function parseNothing(value: unknown): Promise<Parsed<unknown>> {
  const issues = [{ path: '', message: 'must not be there' }]
  return Promise.resolve(
    value === undefined || value === null ? { ok: true, value } : { ok: false, issues },
  )
}

function invalid(intent: unknown, field: string, what: string): WorkspaceError {
  return new WorkspaceError(
    'INTENT_INVALID',
    `Intent "${String(intent)}", field "${field}": ${what}.`,
    {
      facts: { intent, field },
      hint: 'Such as defineIntent({ type: "HAND_OFF", when: "after-turn" }).',
    },
  )
}

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
