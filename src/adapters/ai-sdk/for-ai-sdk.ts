import { isObject } from '../../kernel/json-value.ts'
import {
  jsonSchema,
  type PrepareStepFunction,
  type Schema,
  type ToolCallRepairFunction,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { LiveTools } from './live-tools.ts'
import { prepareStep } from './prepare-step.ts'
import { SdkCalls } from './sdk-calls.ts'
import { transcriptTools } from './sdk-tool.ts'
import { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** What an agent, `generateText` or `streamText` needs to follow a workspace at each step. */
export interface AiSdkSettings {
  readonly tools: ToolSet
  readonly toolChoice: 'auto'
  readonly prepareStep: PrepareStepFunction<ToolSet>
  readonly repairToolCall: ToolCallRepairFunction<ToolSet>
}

/** What one agent needs that serves many conversations. */
export interface AiSdkCallSettings<CallOptions> {
  /** For converting stored messages only; each call gets the tools of its own workspace. */
  readonly tools: ToolSet
  readonly prepareCall: PrepareCall<CallOptions>
  /** Accepts everything: it is what an agent learns the type of its options from. */
  readonly callOptionsSchema: Schema<CallOptions>
}

type PrepareCall<CallOptions> = NonNullable<
  ToolLoopAgentSettings<CallOptions, ToolSet>['prepareCall']
>

/** Opens, or finds, the workspace that a call is for, by the options the call was given. */
export interface AiSdkManyOptions<CallOptions> extends AiSdkOptions {
  open(options: CallOptions): VirtualWorkspace | Promise<VirtualWorkspace>
}

/**
 * Put a workspace before the AI SDK: spread the result into a `ToolLoopAgent`, `generateText` or
 * `streamText`. One object for each workspace, as long as it is open.
 *
 *     const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
 *
 * With `open` instead of a workspace, one agent serves many: each call says for whom it is.
 *
 *     const agent = new ToolLoopAgent({ model, ...forAiSdk({ open }) })
 *     await agent.generate({ prompt, options: { chat: 'a' } })
 */
export function forAiSdk(workspace: VirtualWorkspace, options?: AiSdkOptions): AiSdkSettings

export function forAiSdk<CallOptions>(
  options: AiSdkManyOptions<CallOptions>,
): AiSdkCallSettings<CallOptions>

export function forAiSdk<CallOptions>(
  given: VirtualWorkspace | AiSdkManyOptions<CallOptions>,
  options: AiSdkOptions = {},
): AiSdkSettings | AiSdkCallSettings<CallOptions> {
  return given instanceof VirtualWorkspace ? forOne(given, options) : forMany(given)
}

function forOne(workspace: VirtualWorkspace, options: AiSdkOptions): AiSdkSettings {
  const calls = new SdkCalls(workspace, options)
  const live = new LiveTools(workspace, calls, options.tools ?? {})
  return {
    tools: live.tools,
    toolChoice: 'auto',
    prepareStep: prepareStep(workspace, live, calls, options),
    repairToolCall: repairCall(live, calls),
  }
}

function forMany<CallOptions>({
  open,
  ...options
}: AiSdkManyOptions<CallOptions>): AiSdkCallSettings<CallOptions> {
  const settings = new WeakMap<VirtualWorkspace, AiSdkSettings>()
  return {
    tools: transcriptTools(),
    callOptionsSchema: jsonSchema<CallOptions>({}),
    async prepareCall({ options: call, ...rest }) {
      const workspace = await open(call as CallOptions)
      const known = settings.get(workspace) ?? forOne(workspace, options)
      settings.set(workspace, known)
      return { ...rest, ...known } as Awaited<ReturnType<PrepareCall<CallOptions>>>
    },
  }
}

/**
 * Takes the calls that the SDK would refuse by itself, and lets the pipeline refuse them: then
 * the refusal is an entry, and the answer says what to do.
 *
 * `tools` is the step's own copy, taken when its request was made; a tool added to it is called
 * and never sent. A test pins that.
 */
function repairCall(live: LiveTools, calls: SdkCalls): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, tools }) => {
    const { toolName, toolCallId, input } = toolCall
    if (!Object.hasOwn(tools, toolName)) {
      Object.defineProperty(tools, toolName, {
        value: live.unlisted(toolName),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    const given = parsedArguments(input)
    if (isObject(given) && !RESERVED.test(input)) return toolCall
    calls.carry(toolCallId, given)
    return { ...toolCall, input: '{}' }
  }
}

/** Names the SDK refuses to parse in an object. */
const RESERVED = /__proto__|constructor/u

/** Text that is not JSON is judged as the text it is. */
function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
