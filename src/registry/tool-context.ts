import type { JsonValue } from '../kernel/json.ts'

/** Who a session acts for. */
export interface Principal {
  readonly id: string
  readonly [claim: string]: unknown
}

/** Who made a call: a model (with the id its provider gave), the user, or the host's code. */
export type Caller = 'model' | 'user' | 'host'

/** What a handler gets beside its input. */
export interface ToolContext<S = unknown, State = JsonValue> {
  /** The host's own objects, as given to `VirtualWorkspace.open`. */
  readonly services: S
  readonly principal: Principal | undefined
  /** Aborted when the call runs out of time, its skill leaves, or the workspace closes. */
  readonly signal: AbortSignal
  readonly call: {
    readonly id: string
    readonly tool: string
    readonly owner: string
    readonly session: string
    readonly caller: Caller
  }
  /** The state of the component this tool belongs to, now; `undefined` for other tools. */
  readonly state: State | undefined
  /**
   * Replace the state of the component this tool belongs to, by a queued command.
   * Resolves with the new state once the log has it.
   */
  update(next: (state: State) => State): Promise<State>
  /** Report progress to listeners; never logged. */
  progress(update: { readonly message?: string; readonly fraction?: number }): void
}
