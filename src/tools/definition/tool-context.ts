import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema, JsonValue } from '../../kernel/json-value.ts'
import type { AiSdkCall } from './ai-sdk-tool.ts'
import type {
  ClientLogEntry,
  ClientRoot,
  Elicitation,
  ElicitationAnswer,
  ProgressUpdate,
  SamplingAnswer,
  SamplingRequest,
} from './call-client.ts'
import type { ToolResponse } from '../response/tool-response.ts'

/** The person or service that a session acts for. */
export interface Principal {
  readonly id: string
  readonly [claim: string]: unknown
}

/** The origin of a call: the model, the user, the host's code, or the handler of a tool. */
export type Caller = 'model' | 'user' | 'host' | 'tool'

/** Options for a call that a handler makes. */
export interface NestedCallOptions {
  /** Aborts this call. The handler's own signal always does. */
  readonly signal?: AbortSignal
  readonly onOutput?: OnCallOutput
  /** Returns at once, and lets the call continue after the handler ends. */
  readonly background?: boolean
}

/** The second parameter of a handler, after its input. */
export interface ToolContext<S = unknown, State = JsonValue> {
  /** The host's own objects, from `VirtualWorkspace.open`. */
  readonly services: S
  readonly principal: Principal | undefined
  /** Aborted if the call times out, its skill is deactivated, the caller aborts, or the workspace closes. */
  readonly signal: AbortSignal
  readonly call: {
    readonly id: string
    readonly tool: string
    readonly owner: string
    readonly session: string
    readonly caller: Caller
  }
  /** The conversation and the options of the AI SDK, for a call that it made. */
  readonly aiSdk?: AiSdkCall
  /** The current state of the tool's component; `undefined` for tools without a component. */
  readonly state: State | undefined
  /**
   * Replaces the state of the tool's component with a queued command. Resolves with the new state once it
   * is in the log.
   */
  update(next: (state: State) => State): Promise<State>
  /** Reports progress to listeners and to the client of the call. Never logged. */
  progress(update: ProgressUpdate): void
  /** Writes a line to the client of the call. Never logged; dropped when there is no one to read it. */
  log(entry: ClientLogEntry): void
  /**
   * Asks the person at the client of the call, or at the host. The time limit of the call is stopped meanwhile; a
   * question waits at most as long as a confirmation. Rejects with a `ToolError` whose `details.code` is
   * `client-cannot` when there is no one to ask.
   */
  elicit(question: Elicitation): Promise<ElicitationAnswer>
  /** Asks the model of the client. Rejects as `elicit` does. */
  sample(request: SamplingRequest): Promise<SamplingAnswer>
  /** Returns the folders that the client works in. Rejects as `elicit` does. */
  roots(): Promise<readonly ClientRoot[]>
  /**
   * Calls another tool with the same checks: it has its own entries, budgets and confirmation. Always
   * resolves with an envelope, and the handler decides what to do about a failure such as
   * `CONFIRMATION_REQUIRED`. The call is aborted when this call ends, unless it is in the background.
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
  /**
   * Returns the active skills in the order of their activation, without those that changed or are broken, or whose files a
   * rule of `deny` or `ask` about `loadSkillFile` may keep back.
   */
  activeSkills(): readonly {
    readonly name: string
    /** The folder that it was read from; absent for one that was defined in code. */
    readonly baseDirectory?: string
    readonly files: readonly {
      /** Relative to the folder, with `/`. */
      readonly path: string
      readonly size: number
      readonly hash: ContentHash
    }[]
    /** Reads a listed file. */
    readFile?(path: string, signal?: AbortSignal): Promise<string>
  }[]
  /**
   * Returns the tools that a program which the model wrote may call now: those that the model can call, without this
   * one, the workspace's own, and those that the client answers.
   */
  callableTools(): readonly {
    readonly name: string
    readonly description: string
    readonly inputSchema: JsonSchema
    readonly outputSchema?: JsonSchema
    readonly inputExamples?: readonly { readonly input: { readonly [name: string]: JsonValue } }[]
  }[]
}

/**
 * The second parameter of code that looks at a call before it runs: the function of a permission rule, and the
 * preview of a tool. It must change nothing.
 */
export interface CheckContext<S = unknown> extends Pick<
  ToolContext<S>,
  'services' | 'principal' | 'signal'
> {
  readonly session: string
  /** The name of the tool in the session. */
  readonly tool: string
  readonly caller: Caller
  /** The conversation and the options of the AI SDK, for a call that it made. */
  readonly aiSdk?: AiSdkCall
}

/** The parts of a tool that a call needs: its identity, and the types of its input and output. */
interface CallableTool<I, O> {
  readonly name: string
  readonly hash: ContentHash
  parseInput(value: I): Promise<unknown>
  parseOutput?(
    value: unknown,
  ): Promise<{ readonly ok: true; readonly value: O } | { readonly ok: false }>
}

/** The result of a call whose handler continues in the background, or that waits for the client. */
export interface RunningCall {
  readonly status: 'running' | 'waiting'
  /** The id of the call, for requests of its outcome. */
  readonly call: string
}

/** A value that a handler yielded before its result. Never logged. */
export interface CallOutput {
  readonly call: string
  readonly tool: string
  /** Plain data. For an envelope, the data in it. */
  readonly output: JsonValue
  /** 0-based within one attempt. */
  readonly index: number
  /** 1-based. A retry starts its outputs again. */
  readonly attempt: number
}

/**
 * Receives the outputs of a call in order. The handler is asked for the next output after this has
 * resolved. If it throws, the call continues.
 */
export type OnCallOutput = (output: CallOutput) => void | Promise<void>
