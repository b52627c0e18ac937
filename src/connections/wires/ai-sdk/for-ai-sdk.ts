import { type Tool, type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { checkKind, checkOptions, isObject, type OptionsOf } from '../../../entries/kit.ts'
import * as sdk from 'ai'
import {
  jsonSchema,
  type FlexibleSchema,
  type ModelMessage,
  type PrepareStepFunction,
  type Tool as SdkToolOf,
  type ToolApprovalStatus,
  type ToolCallRepairFunction,
  type ToolSet,
} from 'ai'
import { AI_SDK_OPTIONS, type AiSdkOptions, type AiSdkStepOptions } from './ai-sdk-options.ts'
import {
  type CallSettings,
  type HostCall,
  type PrepareCall,
  type PreparedHostCall,
  prepareHostCall,
} from './host-call.ts'
import { readApprovals } from './answer-approvals.ts'
import { restoreReferences } from './model-output.ts'
import { LiveTools } from './live-tools.ts'
import { prepareStep } from './prepare-step.ts'
import { SdkCalls } from './sdk-calls.ts'
import { type SdkTool, transcriptTools } from './sdk-tool.ts'
import type { AiSdkTool } from '../../../tools/definition/ai-sdk-tool.ts'
import { argumentsOf } from '../../../workspace/calls/call-answers.ts'
import { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

/**
 * The settings with which an agent, `generateText` or `streamText` follows a workspace at each
 * step.
 */
export interface AiSdkSettings<
  Tools extends ToolSet = ToolSet,
  CallOptions = never,
> extends SettingsOfSteps<Tools> {
  /** Present with the options of the same names. */
  readonly prepareCall?: PrepareCall<CallOptions, Tools>
  readonly callOptionsSchema?: FlexibleSchema<CallOptions>
}

interface SettingsOfSteps<Tools extends ToolSet = ToolSet> {
  readonly tools: Tools
  readonly toolChoice: 'auto'
  /** Changes of tools are messages of the system. Those of the host are refused by `prepareStep`. */
  readonly allowSystemInMessages: true
  readonly prepareStep: PrepareStepFunction<Tools>
  readonly repairToolCall: ToolCallRepairFunction<Tools>
  /** Questions to a person, refusals of calls that the client answers, and denials. */
  readonly toolApproval: ApproveCall
}

/** The settings of one agent that serves many conversations. */
export interface AiSdkCallSettings<CallOptions, Tools extends ToolSet = ToolSet> {
  /** Only for converting stored messages; each call gets the tools of its own workspace. */
  readonly tools: Tools
  readonly prepareCall: PrepareCall<CallOptions, Tools>
  /** Accepts everything unless the host gives its own. An agent takes the type of its options from it. */
  readonly callOptionsSchema: FlexibleSchema<CallOptions>
}

/** Structural, so that it fits every record of tools. */
type ApproveCall = (asked: {
  readonly toolCall: {
    readonly toolName: string
    readonly toolCallId: string
    readonly input: unknown
  }
  readonly tools: Readonly<Record<string, SdkTool>> | undefined
  readonly messages: ModelMessage[]
  readonly toolsContext?: Readonly<Record<string, unknown>>
  readonly runtimeContext?: unknown
}) => Promise<ToolApprovalStatus>

/** Tools by name, of the SDK or of the catalog. Only their types are used: for the parts of messages. */
export type NamedTools = Readonly<Record<string, SdkTool | Tool<never, unknown, never>>>

/** The same tools as the SDK knows them. */
export type ToolsOf<Named extends NamedTools> = {
  [Name in keyof Named]: Named[Name] extends Tool<infer Input, infer Output, never>
    ? SdkToolOf<Input, Output>
    : Named[Name] extends SdkTool
      ? Named[Name]
      : never
}

/** Opens or finds the workspace of a call, by the options of the call. */
export interface AiSdkManyOptions<
  CallOptions,
  Named extends NamedTools = ToolSet,
  Services = unknown,
> extends AiSdkOptions<CallOptions, Services> {
  /**
   * The tools that you gave to `toolsFromAiSdk`, by name: parts of messages get their types, and stored messages are
   * converted with their `toModelOutput` before a workspace is open.
   */
  readonly named?: Named
  open(options: CallOptions): VirtualWorkspace<Services> | Promise<VirtualWorkspace<Services>>
}

const MANY_OPTIONS: OptionsOf<AiSdkManyOptions<unknown>> = {
  ...AI_SDK_OPTIONS,
  named: 'object',
  open: 'function',
}

/**
 * Connects a workspace to the AI SDK. Spread the result into a `ToolLoopAgent`, `generateText` or
 * `streamText`. Make one object for each workspace and use it as long as the workspace is open.
 *
 *     const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
 *
 * The parts of messages get types from a record of tools, such as the one of `toolsFromAiSdk`:
 *
 *     const agent = new ToolLoopAgent({ model, ...forAiSdk<typeof tools>(workspace) })
 *     type Message = InferAgentUIMessage<typeof agent>
 *
 * With `open` instead of a workspace, one agent serves many: the options of each call select one.
 *
 *     const agent = new ToolLoopAgent({ model, ...forAiSdk({ open }) })
 *     await agent.generate({ prompt, options: { chat: 'a' } })
 */
export function forAiSdk<
  Named extends NamedTools = ToolSet,
  CallOptions = never,
  Services = unknown,
>(
  workspace: VirtualWorkspace<Services>,
  options?: AiSdkOptions<CallOptions, Services>,
): AiSdkSettings<ToolsOf<Named>, CallOptions>

export function forAiSdk<
  Named extends NamedTools = ToolSet,
  CallOptions = never,
  Services = unknown,
>(
  options: AiSdkManyOptions<CallOptions, Named, Services>,
): AiSdkCallSettings<CallOptions, ToolsOf<Named>>

export function forAiSdk<CallOptions>(
  given: VirtualWorkspace | AiSdkManyOptions<CallOptions>,
  options: AiSdkOptions<CallOptions> = {},
): AiSdkSettings<ToolSet, CallOptions> | AiSdkCallSettings<CallOptions> {
  assertVersion()
  // Not by class: the workspace may come from another copy of this package.
  checkKind(given, 'workspace', 'object')
  if ('open' in given) {
    checkOptions(given, MANY_OPTIONS)
    return forMany(given)
  }
  checkOptions(options, AI_SDK_OPTIONS)
  return forOne(given, options)
}

/**
 * Throws `SDK_UNSUPPORTED` for an earlier version of the SDK, which the package installs next to. It is known by a
 * name that version 7 has.
 */
function assertVersion(): void {
  if (typeof sdk.isStepCount === 'function') return
  throw new WorkspaceError(
    'SDK_UNSUPPORTED',
    `forAiSdk needs version 7 of the package "ai", and version ${'ToolLoopAgent' in sdk ? '6' : '5 or older'} is installed.`,
    {
      hint: 'Run "npm install ai@7", with the packages of your providers. What to change is in https://ai-sdk.dev/docs/migration-guides.',
    },
  )
}

/** Plans after the first turn, off the path of requests; until then this is one listener. */
function planLater(workspace: VirtualWorkspace, onPlan: NonNullable<AiSdkOptions['onPlan']>): void {
  const stop = workspace.subscribe(() => {
    if (workspace.state.turn < 2) return
    stop()
    const plan = import('../../../workspace/plan/plan-once.ts').then(({ planOnce }) =>
      planOnce(workspace, onPlan),
    )
    // Advice that cannot be given, such as in a workspace that was closed, must not end the process.
    plan.catch(() => {})
  })
}

function forOne<CallOptions>(
  workspace: VirtualWorkspace,
  options: AiSdkOptions<CallOptions>,
): AiSdkSettings<ToolSet, CallOptions> {
  const { settings, prepared } = connect(workspace, options)
  const { prepareCall, callOptionsSchema } = options
  return {
    ...settings,
    ...(callOptionsSchema && { callOptionsSchema }),
    ...(prepareCall && {
      prepareCall: async (given) => prepared(await prepareHostCall(given, settings, options)),
    }),
  }
}

function forMany<CallOptions>(
  options: AiSdkManyOptions<CallOptions>,
): AiSdkCallSettings<CallOptions> {
  const { open, named, tools, callOptionsSchema = jsonSchema<CallOptions>({}) } = options
  const known = new WeakMap<VirtualWorkspace, Connection>()
  return {
    tools: transcriptTools(named, tools),
    callOptionsSchema,
    async prepareCall(given) {
      const call = await prepareHostCall(given, {}, options)
      const workspace = await open(given.options as CallOptions)
      const connection = known.get(workspace) ?? connect(workspace, options)
      known.set(workspace, connection)
      return connection.withReferences(connection.prepared(call))
    },
  }
}

/** A workspace and the settings of the SDK that follow it. */
interface Connection {
  readonly settings: SettingsOfSteps
  /** Takes the host's functions of a call of an agent, and returns the settings of that call. */
  prepared(call: PreparedHostCall): CallSettings
  /** Returns the settings with the references that stored messages lack, which were converted without the workspace. */
  withReferences(settings: CallSettings): CallSettings
}

function connect(workspace: VirtualWorkspace, options: AiSdkStepOptions): Connection {
  let host: HostCall = options
  refusePrograms(options.tools ?? {})
  if (options.onPlan !== undefined) planLater(workspace, options.onPlan)
  const conversation = new ModelConversation(workspace, 'openai', options)
  const calls = new SdkCalls(conversation, options)
  const live = new LiveTools(conversation, calls, options.tools ?? {})
  const settings: SettingsOfSteps = {
    tools: live.tools,
    toolChoice: 'auto',
    allowSystemInMessages: true,
    prepareStep: prepareStep(conversation, live, calls, () => host),
    repairToolCall: repairCall(live, calls, () => host),
    toolApproval: approveCall(calls, live, options.tools ?? {}),
  }
  return {
    settings,
    prepared(call) {
      host = call.host
      return { ...call.settings, ...settings }
    },
    withReferences({ messages, prompt, ...others }) {
      const complete = (given: readonly ModelMessage[]) =>
        restoreReferences(given, (name) => calls.isDeferred(name))
      return {
        ...others,
        ...(messages && { messages: complete(messages) }),
        ...(prompt && { prompt: typeof prompt === 'string' ? prompt : complete(prompt) }),
      } as CallSettings
    },
  }
}

/** Throws for a tool that runs programs of the model, such as code mode: their calls would pass the gate as others. */
function refusePrograms(own: ToolSet): void {
  for (const [name, tool] of Object.entries(own)) {
    const { experimental_toolCaller: caller }: AiSdkTool = tool
    if (caller?.type !== 'local') continue
    throw new WorkspaceError('CALL_INVALID', `"${name}" runs programs that call tools.`, {
      hint: `Register it in the workspace instead: VirtualWorkspace.open({ tools: toolsFromAiSdk({ ${name} }) }).`,
      facts: { field: 'tools', tool: name },
    })
  }
}

/** Asks the workspace about each call; tools of the host's own decide themselves. */
function approveCall(calls: SdkCalls, live: LiveTools, own: ToolSet): ApproveCall {
  return async ({ toolCall, tools = {}, messages, toolsContext = {}, runtimeContext }) => {
    const { toolName, toolCallId, input } = toolCall
    const isApproved = readApprovals(messages).has(toolCallId)
    // Calls that a person approved are made before the first step.
    if (!isApproved) live.assertSent(tools)
    calls.useFor(messages, runtimeContext)
    const options = { toolCallId, messages, context: toolsContext[toolName] }
    if (!Object.hasOwn(own, toolName)) {
      const isForClient = tools[toolName]?.execute === undefined
      return calls.approve(toolName, input, options, isForClient)
    }
    const { needsApproval } = own[toolName] ?? {}
    const asks =
      typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval
    return asks ? 'user-approval' : 'not-applicable'
  }
}

/**
 * Repairs calls that the SDK would refuse by itself, so that the pipeline refuses them: then the
 * refusal is an entry, and the answer says what to do.
 *
 * `tools` is the step's own copy, made with its request. A tool added to it is called and never
 * sent. A test pins that.
 */
function repairCall(
  live: LiveTools,
  calls: SdkCalls,
  host: () => HostCall,
): ToolCallRepairFunction<ToolSet> {
  return async (broken) => {
    const { tools } = broken
    const toolCall = (await host().repairToolCall?.(broken)) ?? broken.toolCall
    const { toolName, toolCallId, input } = toolCall
    if (!Object.hasOwn(tools, toolName)) {
      Object.defineProperty(tools, toolName, {
        value: live.unlisted(toolName),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    const given = argumentsOf(input)
    if (isObject(given) && !RESERVED.test(input)) return toolCall
    calls.carry(toolCallId, given)
    return { ...toolCall, input: '{}' }
  }
}

/** Names that the SDK refuses to parse in an object. */
const RESERVED = /__proto__|constructor/u
