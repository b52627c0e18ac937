import type { ToolCallRepairFunction, ToolLoopAgentSettings, ToolSet } from 'ai'
import { WorkspaceError } from '../../../entries/index.ts'
import { type HostPrepareStep, type StepSettings, notComposed } from './host-run.ts'

/** The `prepareCall` of an agent. */
export type PrepareCall<CallOptions, Tools extends ToolSet = ToolSet> = NonNullable<
  ToolLoopAgentSettings<CallOptions, Tools>['prepareCall']
>

/** The settings of one call of an agent. */
export type CallSettings = Omit<Parameters<PrepareCall<never>>[0], 'options'> & {
  readonly options?: unknown
}

/** The host's own functions of one call. Each runs before that of the workspace. */
export interface HostCall {
  readonly prepareStep?: HostPrepareStep | undefined
  readonly repairToolCall?: ToolCallRepairFunction<ToolSet> | undefined
  readonly allowSystemInMessages?: boolean | undefined
}

/** A call of an agent after the host's `prepareCall`. */
export interface PreparedHostCall {
  readonly settings: CallSettings
  readonly host: HostCall
}

/** Settings that the agent got from `forAiSdk`, so that they are not taken for the host's own. */
type OwnSettings = {
  readonly [
    Name in 'prepareStep' | 'repairToolCall' | 'toolApproval' | 'allowSystemInMessages'
  ]?: Name extends keyof CallSettings ? CallSettings[Name] : unknown
}

/**
 * Asks the host's `prepareCall`, which sees the settings of the agent with the host's own functions instead of
 * those of the workspace. Returns what the host wants of the call, and its functions for the steps: choices for the
 * whole call become choices of each step, which the host's `prepareStep` may change.
 */
export async function prepareHostCall(
  ofAgent: object,
  ours: OwnSettings,
  {
    prepareCall,
    ...own
  }: HostCall & { readonly prepareCall?: ((given: never) => unknown) | undefined },
): Promise<PreparedHostCall> {
  const given = ofAgent as CallSettings
  const asked = withOwn(given, ours, own)
  const prepared = (await prepareCall?.(asked as never)) as CallSettings | undefined
  const { options: _, ...settings } = prepared ?? asked
  const { tools = given.tools, toolChoice, activeTools, toolOrder, prepareStep } = settings
  if (tools !== given.tools) {
    const hint =
      'Register them in the workspace (toolsFromAiSdk), or give those that a provider runs'
    throw notComposed('prepareCall', 'tools', `${hint} as forAiSdk(workspace, { tools }).`)
  }
  if (settings.toolApproval !== ours.toolApproval) {
    const hint = 'Leave it out. The permissions of the workspace decide which calls ask.'
    throw notComposed('prepareCall', 'toolApproval', hint)
  }
  if (toolOrder !== undefined) throw notComposed('prepareCall', 'toolOrder')
  const ofCall: StepSettings = {
    ...(toolChoice !== undefined && { toolChoice }),
    ...(activeTools !== undefined && { activeTools }),
  }
  const host: HostCall = {
    allowSystemInMessages: settings.allowSystemInMessages,
    repairToolCall: settings.repairToolCall ?? settings.experimental_repairToolCall,
    async prepareStep(step) {
      const ofStep = Object.entries((await prepareStep?.(step)) ?? {})
      const given = ofStep.filter(([, value]) => value !== undefined)
      return { ...ofCall, ...Object.fromEntries(given) }
    },
  }
  return { settings, host }
}

/** Returns the settings of an agent with the host's own functions in the places of those of the workspace. */
function withOwn(given: CallSettings, ours: OwnSettings, own: HostCall): CallSettings {
  const { prepareStep, repairToolCall, allowSystemInMessages } = given
  const isOurs = prepareStep === ours.prepareStep
  if (!isOurs && (ours.prepareStep !== undefined || own.prepareStep !== undefined)) {
    throw new WorkspaceError('CALL_INVALID', 'The agent has a "prepareStep" of its own.', {
      hint: 'Give it to forAiSdk, and to nothing else: forAiSdk(workspace, { prepareStep }).',
      facts: { field: 'prepareStep' },
    })
  }
  return {
    ...given,
    prepareStep: isOurs ? own.prepareStep : prepareStep,
    repairToolCall: repairToolCall === ours.repairToolCall ? undefined : repairToolCall,
    allowSystemInMessages:
      own.allowSystemInMessages ??
      (ours.allowSystemInMessages === undefined ? allowSystemInMessages : false),
  } as CallSettings
}
