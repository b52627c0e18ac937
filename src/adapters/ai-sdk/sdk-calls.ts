import { types } from 'node:util'
import type { OnCallOutput } from '../../tools/definition/call-output.ts'
import type { ApprovalScope } from '../../engine/model/consent-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { approvalOf } from './approval-of.ts'
import { confirmationOf, targetOf } from './confirmation-of.ts'
import type { CallGate, SdkCall } from './sdk-tool.ts'
import { streamCall } from './stream-call.ts'
import { defersNatively } from './shown-tools.ts'

/** Far more than the calls of one answer. */
const MOST_KEPT = 1000

/**
 * The SDK's calls on their way into the pipeline, and its approvals on their way into consent.
 *
 * What it keeps lasts from the moment the SDK reads a model's answer to the moment it calls.
 */
export class SdkCalls implements CallGate {
  readonly #workspace: VirtualWorkspace
  readonly #approvals: boolean
  readonly #remember: ApprovalScope
  /** Arguments that the SDK cannot carry, by call. */
  readonly #unread = new Map<string, unknown>()
  /** Calls that were settled when the SDK wanted to know whether to ask. */
  readonly #settled = new Map<string, ToolResponse>()
  #defers = false

  constructor(
    workspace: VirtualWorkspace,
    { approvals = true, remember = 'call' }: Pick<AiSdkOptions, 'approvals' | 'remember'> = {},
  ) {
    this.#workspace = workspace
    this.#approvals = approvals
    this.#remember = remember
  }

  /**
   * A step begins.
   *
   * @param defers whether tools that come later are deferred
   */
  begin(defers: boolean): void {
    this.#defers = defers
    // A run that was cut off before its calls were made leaves what it kept for them.
    if (this.#unread.size > MOST_KEPT) this.#unread.clear()
    if (this.#settled.size > MOST_KEPT) this.#settled.clear()
  }

  /** Remember what a model really gave for arguments. */
  carry(call: string, input: unknown): void {
    this.#unread.set(call, input)
  }

  /**
   * The pipeline decides: a call it would ask about is put to it, which records the question; the
   * SDK then puts the question to a person. One that was answered before, or is refused for
   * another reason, is settled where all calls are.
   */
  async asks(tool: string, input: unknown, { toolCallId: call, messages }: SdkCall) {
    if (!this.#approvals) return false
    if (approvalOf(messages, call) !== undefined) return true
    const given = this.#given(input, call)
    const target = targetOf(this.#workspace, tool, given)
    if (!(await this.#workspace.asksAbout(target.tool, target.input))) return false
    const known = confirmationOf(this.#workspace, tool, given)
    if (known !== undefined && known.consent !== 'pending') return false
    const response = await this.#call(tool, given, call)
    if (!response.ok && response.error.type === 'CONFIRMATION_REQUIRED') return true
    this.#settled.set(call, response)
    return false
  }

  refers(tool: string): boolean {
    const { cost, exposed } = this.#workspace.state
    if (cost === null || !defersNatively(cost)) return false
    const shown = exposed?.find(({ name }) => name === tool)
    return shown === undefined ? this.#defers : shown.deferred === true
  }

  /** A generator says so itself; a function that returns a stream is read to its end, as any. */
  streams(tool: string, input: unknown, { toolCallId: call }: SdkCall): boolean {
    const { tool: target } = targetOf(this.#workspace, tool, this.#given(input, call))
    const run = this.#workspace.getAvailableTools().find(({ name }) => name === target)?.run
    return run !== undefined && types.isGeneratorFunction(run) && types.isAsyncFunction(run)
  }

  stream(tool: string, input: unknown, options: SdkCall): AsyncIterable<ToolResponse> {
    return streamCall((onOutput, left) => {
      const { abortSignal } = options
      const signal = abortSignal ? AbortSignal.any([abortSignal, left]) : left
      return this.call(tool, input, { ...options, abortSignal: signal }, onOutput)
    })
  }

  async call(
    tool: string,
    input: unknown,
    options: SdkCall,
    onOutput?: OnCallOutput,
  ): Promise<ToolResponse> {
    const { toolCallId: call, messages, abortSignal } = options
    const settled = this.#settled.get(call)
    const given = this.#given(input, call)
    this.#settled.delete(call)
    this.#unread.delete(call)
    if (settled !== undefined) return settled
    const isApproved = approvalOf(messages, call)?.approved === true
    const stands = !isApproved || (await this.#consent(tool, given, call))
    return this.#call(tool, given, stands ? call : undefined, abortSignal, onOutput)
  }

  /**
   * Take a person's yes in the conversation for consent. It counts only for the question that this
   * very call led to: a history that is sent again, or that somebody changed, approves nothing, and
   * a question that such a call raises is asked under another id.
   */
  async #consent(tool: string, input: unknown, call: string): Promise<boolean> {
    const asked = confirmationOf(this.#workspace, tool, input)
    if (asked === undefined || asked.consent === 'denied') return false
    if (asked.consent === 'approved') return true
    const entries = await this.#workspace.entries(asked.seq)
    const isItsOwn = entries.some(({ cause, event }) => {
      if (cause.by !== 'model' || cause.call !== call) return false
      if (event.type === 'confirmation.asked') return event.id === asked.id
      return event.type === 'command.refused' && event.code === 'confirmation-required'
    })
    return isItsOwn && this.#approve(asked.id)
  }

  /** An approval that can only not hold for later calls lets this one run all the same. */
  async #approve(id: string): Promise<boolean> {
    try {
      const outcome = await this.#workspace.approve(id, { by: 'user', remember: this.#remember })
      if (outcome.ok || outcome.code !== 'approval-too-wide') return outcome.ok
      return (await this.#workspace.approve(id, { by: 'user' })).ok
    } catch (error) {
      if (WorkspaceError.is(error) && error.code === 'APPROVAL_NOT_KEPT') return true
      throw error
    }
  }

  #call(
    tool: string,
    input: unknown,
    call: string | undefined,
    signal?: AbortSignal,
    onOutput?: OnCallOutput,
  ): Promise<ToolResponse> {
    return this.#workspace.callTool(tool, input, {
      caller: 'model',
      ...(call !== undefined && { call }),
      ...(signal !== undefined && { signal }),
      ...(onOutput !== undefined && { onOutput }),
    })
  }

  #given(input: unknown, call: string): unknown {
    return this.#unread.has(call) ? this.#unread.get(call) : input
  }
}
