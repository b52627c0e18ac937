/**
 * A `tool()` of AI SDK 7, as a structural type, so that the SDK is not imported. Its functions take whatever the
 * SDK's do.
 */
export interface AiSdkTool {
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | TheirFunction<string> | undefined
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly contextSchema?: unknown
  readonly execute?: TheirFunction | undefined
  readonly needsApproval?: boolean | TheirFunction<boolean | PromiseLike<boolean>> | undefined
  readonly toModelOutput?: TheirFunction | undefined
  readonly onInputStart?: TheirFunction<void | PromiseLike<void>> | undefined
  readonly onInputDelta?: TheirFunction<void | PromiseLike<void>> | undefined
  readonly onInputAvailable?: TheirFunction<void | PromiseLike<void>> | undefined
  readonly strict?: boolean | undefined
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
  readonly providerOptions?: unknown
  /** Tools of MCP servers have their `annotations` in it. */
  readonly metadata?: unknown
  readonly deferLoading?: boolean | undefined
  /** Of a tool that a provider defines. */
  readonly id?: string | undefined
  readonly args?: unknown
  readonly isProviderExecuted?: boolean | undefined
  readonly supportsDeferredResults?: boolean | undefined
  /** Of a tool whose calls are programs that call other tools, such as code mode. Not enumerable. */
  readonly experimental_toolCaller?: ToolCaller | undefined
}

/** The way in which a program calls tools: here (`local`), or at the provider. */
export interface ToolCaller {
  readonly type: 'local' | 'provider'
  bind?(tools: Record<string, never>): AiSdkTool
  /** Describes the tools for the conversation instead of the definition. */
  prepareModelMessage?: ((tools: Record<string, never>) => string | undefined) | undefined
}

// oxlint-disable-next-line typescript/no-explicit-any -- parameters of functions of theirs
type TheirFunction<Result = unknown> = (...given: any[]) => Result

/** Facts about a call that only the AI SDK has, for `execute` of its tools. */
export interface AiSdkCall {
  /** The messages of the request that led to the call. */
  readonly messages: readonly unknown[]
  /** The tool's entry of `toolsContext`; the services of the session when the SDK has none. */
  readonly context?: unknown
  readonly experimental_sandbox?: unknown
  /** Gets what `execute` returned, before anything is made of it. */
  onReturned?(output: unknown): void
}

/** An option of a tool of the AI SDK that has no effect here. */
export interface DroppedOption {
  /** The name of the option, such as `deferLoading`. */
  readonly option: string
  /** Continues a sentence about the option: `is not known to …`. */
  readonly reason: string
  readonly hint: string
}

const BY_PROVIDER = {
  reason: 'is of a tool that a provider defines; here it is a function with the same schema.',
  hint: 'Give the tool to the adapter: forAiSdk(workspace, { tools }).',
}

/** The options of a tool, with the reason for which one has no effect; null for one that is carried. */
const OPTIONS: Readonly<Record<keyof AiSdkTool, Omit<DroppedOption, 'option'> | null>> = {
  type: null,
  title: null,
  description: null,
  inputSchema: null,
  outputSchema: null,
  contextSchema: null,
  execute: null,
  needsApproval: null,
  toModelOutput: null,
  onInputStart: null,
  onInputDelta: null,
  onInputAvailable: null,
  strict: null,
  inputExamples: null,
  providerOptions: null,
  metadata: null,
  deferLoading: {
    reason: 'is for the tool search of the SDK.',
    hint: 'Open the workspace with discovery, which finds tools that are not offered yet.',
  },
  id: BY_PROVIDER,
  args: BY_PROVIDER,
  isProviderExecuted: BY_PROVIDER,
  supportsDeferredResults: BY_PROVIDER,
  experimental_toolCaller: null,
}

const UNKNOWN_OPTION = {
  reason: 'is not an option of a tool of AI SDK 7.',
  hint: 'Remove it, or check its spelling.',
}

/** Returns the options of a tool that have no effect here, whatever their values. */
export function optionsWithoutEffect(tool: AiSdkTool): readonly DroppedOption[] {
  return Object.entries(tool).flatMap(([option, value]) => {
    if (value === undefined || value === false) return []
    const known = Object.hasOwn(OPTIONS, option)
    const loss = known ? OPTIONS[option as keyof AiSdkTool] : UNKNOWN_OPTION
    return loss === null ? [] : [{ option, ...loss }]
  })
}
