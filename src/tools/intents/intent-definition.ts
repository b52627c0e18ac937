import type { JsonSchema } from '../../kernel/json.ts'
import type { Intent, IntentMoment } from './intent.ts'
import type { Parsed } from '../definition/tool.ts'

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
