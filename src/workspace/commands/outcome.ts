import type { Refusal } from '../../engine/decide/decision.ts'
import type { ToolDifference } from '../../engine/standing/tool-difference.ts'

/** What a command came to. `seq` is its last entry; a refusal has one, too. */
export type Outcome =
  | { readonly ok: true; readonly seq: number; readonly difference: ToolDifference }
  | ({ readonly ok: false; readonly seq: number } & Refusal)
