import type { JsonValue } from '../../kernel/json.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'

/**
 * What a background call came to, as the log keeps it: whoever is to be told was not waiting, and may
 * be another process.
 */
export type BackgroundResult =
  | {
      readonly ok: true
      /** The data; the beginning of its JSON, as text, when it was too long to be kept. */
      readonly data: JsonValue
      /** Bytes of JSON the whole had, when only its beginning is kept. */
      readonly cutFrom?: number
    }
  | { readonly ok: false; readonly message: string }

/** A call had its answer before it ended, and goes on in the background. */
export interface BackgroundEvent {
  readonly type: 'call.detached'
  readonly call: string
  readonly tool: string
  /** Who is to be told what it comes to. */
  readonly caller: Caller
}
