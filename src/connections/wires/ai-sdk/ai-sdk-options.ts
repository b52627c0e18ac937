import type { FlexibleSchema, ToolSet } from 'ai'
import type { ConversationOptions } from '../../../entries/adapter.ts'
import type { ApprovalScope, OptionsOf } from '../../../entries/kit.ts'
import type { SkillPlan } from '../../../entries/plan.ts'
import { APPROVAL_SCOPES } from '../../../engine/model/consent-event.ts'
import type { PrepareCall } from './host-call.ts'
import type { HostPrepareStep } from './host-run.ts'
import { CONVERSATION_OPTIONS } from '../../../workspace/conversation/model-conversation.ts'

/** The options of `forAiSdk` that do not depend on the type of the options of a call. */
export interface AiSdkStepOptions<Services = unknown> extends ConversationOptions {
  /**
   * Tools of the SDK that a provider runs, such as its web search. They are sent first, at every
   * step.
   */
  readonly tools?: ToolSet
  /**
   * The form of results in the SDK, and so in a UI. `data` by default: the output of a call is the data of its tool,
   * and a failure is the SDK's own `tool-error`. With `envelope`, the output is the complete response, failures
   * included, and every tool is dynamic.
   */
  readonly results?: 'data' | 'envelope'
  /**
   * True when a question to a person ends the run as an approval request of the SDK, which is the
   * default. Otherwise the call is answered with `CONFIRMATION_REQUIRED`, and the host calls
   * `workspace.approve` itself.
   */
  readonly approvals?: boolean
  /**
   * Scope of an approval; only the one call by default. `digest` needs a workspace with an approval
   * store.
   */
  readonly remember?: ApprovalScope
  /**
   * True when the messages of a call may have the role of the system, as the option of the same name of the SDK.
   * They are refused by default: a client that writes messages must not write instructions. Give it here, because
   * the settings of `forAiSdk` let the SDK send changes of tools, which have that role.
   */
  readonly allowSystemInMessages?: boolean
  /**
   * Your own `prepareStep`. It runs first, with your messages and instructions; the workspace adds its own to what
   * it returns.
   */
  readonly prepareStep?: HostPrepareStep
  /**
   * Gets what the ways of giving the model its tools cost, with a sentence of advice: once for each catalog and
   * process, computed after the first turn of a conversation, from the tools that it used. See `planSkills`.
   */
  readonly onPlan?: (plan: SkillPlan) => void
  /**
   * Makes the services of calls and hooks from the SDK's `runtimeContext`, once for each such object. The
   * `toolsContext` of a tool goes first: it is the services of calls of that tool.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the host chooses the type of its context
  readonly services?: (runtimeContext: any) => Services
}

/** Options of `forAiSdk`. All are optional. */
export interface AiSdkOptions<
  CallOptions = never,
  Services = unknown,
> extends AiSdkStepOptions<Services> {
  /**
   * Your own `prepareCall` of an agent. It runs before the workspace adds its settings, and sees your own functions
   * instead of those of the workspace.
   */
  readonly prepareCall?: PrepareCall<CallOptions>
  /** The schema of the `options` of a call of an agent. */
  readonly callOptionsSchema?: FlexibleSchema<CallOptions>
}

export const AI_SDK_OPTIONS: OptionsOf<AiSdkOptions> = {
  ...CONVERSATION_OPTIONS,
  tools: 'object',
  results: ['data', 'envelope'],
  approvals: 'switch',
  remember: APPROVAL_SCOPES,
  allowSystemInMessages: 'switch',
  prepareStep: 'function',
  onPlan: 'function',
  services: 'function',
  prepareCall: 'function',
  callOptionsSchema: true,
}
