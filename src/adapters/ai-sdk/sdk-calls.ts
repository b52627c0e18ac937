import type { ModelMessage } from 'ai'
import type { ToolResponse } from '../../registry/tool-response.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { approvalOf } from './approval-of.ts'
import { defersNatively } from './shown-tools.ts'
import { confirmationOf, targetOf } from './confirmation-of.ts'
import type { CallGate, SdkCall } from './sdk-tool.ts'

/**
 * The SDK's calls on their way into the pipeline, and its approvals on their way into consent.
 *
 * What it keeps lasts from the moment the SDK reads a model's answer to the moment it calls.
 */
export class SdkCalls implements CallGate {
  readonly #workspace: VirtualWorkspace
  readonly #approvals: boolean
  /** Arguments that the SDK cannot carry, by call. */
  readonly #unread = new Map<string, unknown>()
  /** Calls that were settled when the SDK wanted to know whether to ask. */
  readonly #settled = new Map<string, ToolResponse>()

  constructor(workspace: VirtualWorkspace, approvals: boolean) {
    this.#workspace = workspace
    this.#approvals = approvals
  }

  /** Calls of before are over. */
  forget(): void {
    this.#unread.clear()
    this.#settled.clear()
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
  async asks(tool: string, input: unknown, call: string): Promise<boolean> {
    if (!this.#approvals) return false
    const given = this.#given(input, call)
    const target = targetOf(tool, given)
    if (!this.#workspace.asksFirst(target.tool)) return false
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
    return (exposed ?? []).some(({ name, deferred }) => name === tool && deferred === true)
  }

  async call(tool: string, input: unknown, options: SdkCall): Promise<ToolResponse> {
    const { toolCallId: call, messages, abortSignal } = options
    const settled = this.#settled.get(call)
    if (settled !== undefined) return settled
    const given = this.#given(input, call)
    await this.#approve(tool, given, call, messages)
    return this.#call(tool, given, call, abortSignal)
  }

  /**
   * A person's yes in the conversation is consent to the call it was given for, once: a history
   * that is sent again approves nothing, because the log has the call already.
   */
  async #approve(
    tool: string,
    input: unknown,
    call: string,
    messages: readonly ModelMessage[],
  ): Promise<void> {
    if (approvalOf(messages, call)?.approved !== true) return
    const asked = confirmationOf(this.#workspace, tool, input)
    if (asked?.consent !== 'pending') return
    const entries = await this.#workspace.entries()
    const ran = entries.some(
      ({ cause, event }) =>
        event.type === 'call.started' &&
        (event.call === call || (cause.by === 'model' && cause.call === call)) &&
        event.tool === asked.tool,
    )
    if (!ran) await this.#workspace.approve(asked.id, { by: 'user' })
  }

  #call(tool: string, input: unknown, call: string, signal?: AbortSignal): Promise<ToolResponse> {
    return this.#workspace.callTool(tool, input, {
      caller: 'model',
      call,
      ...(signal !== undefined && { signal }),
    })
  }

  #given(input: unknown, call: string): unknown {
    return this.#unread.has(call) ? this.#unread.get(call) : input
  }
}
