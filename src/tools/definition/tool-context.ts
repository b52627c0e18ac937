import type { JsonValue } from '../../kernel/json.ts'
import type { OnCallOutput } from './call-output.ts'
import type { CallableTool } from './callable-tool.ts'
import type { RunningCall } from './running-call.ts'
import type { ToolResponse } from '../response/tool-response.ts'

/** Who a session acts for. */
export interface Principal {
  readonly id: string
  readonly [claim: string]: unknown
}

/** Who made a call: a model (with the id its provider gave), the user, the host's code, or a tool's handler. */
export type Caller = 'model' | 'user' | 'host' | 'tool'

/** How a handler calls another tool. */
export interface NestedCallOptions {
  /** Gives this call up; the handler's own signal does so anyway. */
  readonly signal?: AbortSignal
  readonly onOutput?: OnCallOutput
  /** Answer at once, and let it go on when the handler is done. */
  readonly background?: boolean
}

/** What a handler gets beside its input. */
export interface ToolContext<S = unknown, State = JsonValue> {
  /** The host's own objects, as given to `VirtualWorkspace.open`. */
  readonly services: S
  readonly principal: Principal | undefined
  /** Aborted when the call runs out of time, its skill leaves, the caller gives up, or the workspace closes. */
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
  /**
   * Call another tool through the same gate: its own entries, budgets and confirmation. Resolves with
   * an envelope whatever happens; what to make of a failure, `CONFIRMATION_REQUIRED` among them, is
   * the handler's to decide. It is aborted when this call ends, unless it is in the background.
   */
  callTool<I>(
    tool: CallableTool<I, unknown>,
    input: I,
    options: NestedCallOptions & { readonly background: true },
  ): Promise<ToolResponse<RunningCall>>
  callTool<I, O>(
    tool: CallableTool<I, O>,
    input: I,
    options?: NestedCallOptions,
  ): Promise<ToolResponse<O>>
  callTool(tool: string, input: unknown, options?: NestedCallOptions): Promise<ToolResponse>
}
