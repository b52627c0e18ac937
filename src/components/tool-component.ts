import type { JsonValue } from '../kernel/json.ts'
import type { Tool } from '../tools/definition/tool.ts'

/** What a component shows the model: plain data, drawn by whoever reads it. */
export interface Panel {
  readonly title: string
  readonly lines: readonly string[]
}

/** A part of the workspace with state of its own, tools that act on it, and a panel. */
export interface ToolComponent<State extends JsonValue = JsonValue> {
  readonly key: string
  readonly displayName: string
  readonly description: string
  /** The state of a new session. */
  readonly initialState: State
  /** Its handlers reach the state through `context.state` and `context.update`. */
  readonly tools: readonly Tool[]
  /** What the model reads of the state. Must be pure: replay shows the same panel. */
  panel(state: State): Panel
  /** What leaves with an export; the state itself by default. */
  exportState(state: State): JsonValue
  /** The state from an export; throws when it is not one. */
  restoreState(exported: JsonValue): State
}
