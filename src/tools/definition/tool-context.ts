import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
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

/** What of a tool value a call needs: which tool it is, and the types of what goes in and comes out. */
interface CallableTool<I, O> {
  readonly name: string
  readonly hash: ContentHash
  parseInput(value: I): Promise<unknown>
  parseOutput?(
    value: unknown,
  ): Promise<{ readonly ok: true; readonly value: O } | { readonly ok: false }>
}

/** What a call answers with whose handler goes on in the background. */
export interface RunningCall {
  readonly status: 'running'
  /** Its id, by which what it came to can be asked for. */
  readonly call: string
}

/** One value that a handler yielded before its result; never logged. */
export interface CallOutput {
  readonly call: string
  readonly tool: string
  /** Plain data; of an envelope, what is in it. */
  readonly output: JsonValue
  /** Counts from 0 within one attempt. */
  readonly index: number
  /** Counts from 1: a call that is tried again begins its outputs anew. */
  readonly attempt: number
}

/**
 * Gets the outputs of a call in their order. The handler is asked for the next one when this has
 * resolved; a listener that throws is the host's to mend, and the call goes on.
 */
export type OnCallOutput = (output: CallOutput) => void | Promise<void>
