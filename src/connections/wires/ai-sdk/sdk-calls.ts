import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { ModelMessage, ToolApprovalStatus } from 'ai'
import {
  ErrorType,
  type ToolResponse,
  type VirtualWorkspace,
  WorkspaceError,
} from '../../../entries/index.ts'
import { type ApprovalScope, describeQuestion, isMeta, sanitiseText } from '../../../entries/kit.ts'
import type { AiSdkStepOptions } from './ai-sdk-options.ts'
import { unusedAnswer, readApprovals, recordApproval, wasAsked } from './answer-approvals.ts'
import { CallFailedError } from './call-failed-error.ts'
import { convertsAgain, isSameJson } from './model-output.ts'
import type { CallGate, SdkCall } from './sdk-tool.ts'
import type { CallOutput, OnCallOutput } from '../../../tools/definition/tool-context.ts'
import { noteCall } from './workspace-part.ts'
import { RESPONSE_VERSION } from '../../../tools/response/tool-response.ts'
import { argumentsOf, shownIn, stoppedAnswer } from '../../../workspace/calls/call-answers.ts'
import { callTarget } from '../../../workspace/calls/find-confirmation.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

type MadeCall = NonNullable<Parameters<VirtualWorkspace['callTool']>[2]>

type CallOptions = Pick<AiSdkStepOptions, 'approvals' | 'remember' | 'results' | 'services'>

/** Types of the failures that an output of a tool of the SDK says. */
const OWN_FAILURES: ReadonlySet<ErrorType> = new Set([ErrorType.PERMANENT, ErrorType.DENIED])

/** More than the calls of any one answer. */
const MAX_KEPT = 1000

/**
 * Passes the SDK's calls to the pipeline, and its approvals to the session's consent.
 *
 * What it stores lasts from the moment the SDK reads a model's answer until it makes the call.
 */
export class SdkCalls implements CallGate {
  readonly #conversation: ModelConversation
  readonly #workspace: VirtualWorkspace
  readonly #approvals: boolean
  readonly #remember: ApprovalScope
  readonly #results: NonNullable<AiSdkStepOptions['results']>
  /** Arguments that the SDK cannot carry, by call. */
  readonly #unread = new Map<string, unknown>()
  /** Responses of calls that ended when the SDK asked if they need approval. */
  readonly #settled = new Map<string, ToolResponse>()
  /** The own outputs of tools of the SDK, by call, until the call has ended. */
  readonly #returned = new Map<string, { readonly output: unknown }>()
  /** The questions that the SDK sends to a person in this step, by call. */
  readonly #asked = new Map<string, string>()
  /** Calls of this step's answer, which was stopped: nobody is asked about them, and no client answers them. */
  readonly stopped = new Set<string>()
  /** The calls of this run that a person approved too late: their questions had expired, and that person is asked again. */
  readonly late: { readonly tool: string; readonly input: unknown }[] = []
  /** True in a step whose answer was kept before: it asks what it asked. */
  repeats = false
  readonly #servicesOf: CallOptions['services']
  /** The services made from each context. */
  readonly #servicesByContext = new WeakMap<object, unknown>()
  /** The same by the messages of a request, which the SDK gives to its calls: runs may go on at the same time. */
  readonly #servicesByMessages = new WeakMap<readonly ModelMessage[], unknown>()
  #hasBegun = false

  constructor(
    conversation: ModelConversation<VirtualWorkspace>,
    { approvals = true, remember = 'call', results = 'data', services }: CallOptions = {},
  ) {
    const { workspace } = conversation
    this.#conversation = conversation
    this.#workspace = workspace
    this.#servicesOf = services
    this.#approvals = approvals
    this.#remember = remember
    this.#results = results
  }

  /** Takes the context of a run, and returns the services for its calls. */
  use(context: unknown): unknown {
    if (this.#servicesOf === undefined) return undefined
    if (typeof context !== 'object' || context === null) return this.#servicesOf(context)
    const known = this.#servicesByContext
    if (!known.has(context)) known.set(context, this.#servicesOf(context))
    return known.get(context)
  }

  /**
   * Takes the context for the calls of a request. The SDK makes calls that a person approved before the first step, with
   * the messages of their run.
   */
  useFor(messages: readonly ModelMessage[], context: unknown): void {
    this.#servicesByMessages.set(messages, this.use(context))
  }

  /** Begins a step; one that is made again with its answer asks again what it asked. */
  begin(repeats = false): void {
    this.#hasBegun = true
    this.repeats = repeats
    // A run that was aborted before its calls leaves their data here.
    if (this.#unread.size > MAX_KEPT) this.#unread.clear()
    if (this.#settled.size > MAX_KEPT) this.#settled.clear()
    if (this.#returned.size > MAX_KEPT) this.#returned.clear()
    // A provider may give an id again.
    this.#asked.clear()
    this.stopped.clear()
  }

  assertBegun(): void {
    if (this.#hasBegun) return
    throw new WorkspaceError(
      'STEP_NOT_BEGUN',
      'The SDK uses the tools of a workspace, but "beginStep" did not run: the "prepareStep" of forAiSdk was replaced.',
      { hint: 'Give your own to it instead: forAiSdk(workspace, { prepareStep, prepareCall }).' },
    )
  }

  /** Stores the arguments that a model really gave. */
  carry(call: string, input: unknown): void {
    this.#unread.set(call, input)
  }

  /** Refuses the calls of an answer that was stopped, and withdraws the questions about them. */
  async stop(made: readonly LanguageModelV4ToolCall[], by: string): Promise<void> {
    for (const { toolCallId } of made) this.stopped.add(toolCallId)
    for (const { toolCallId: call, toolName, input } of made) {
      await this.#call(toolName, argumentsOf(input), { call, stopped: stoppedAnswer(by) })
      await this.#withdraw(call)
    }
  }

  async #withdraw(call: string): Promise<void> {
    const question = this.#asked.get(call)
    if (question !== undefined) await this.#workspace.deny(question, { by: 'host' })
  }

  /**
   * Lets the pipeline decide. A call that needs approval is passed to it, which records the
   * question; then the SDK asks a person. A call for the client is passed to it, too, which records its start, or
   * refuses it. All others run later, in `call`.
   */
  async approve(
    tool: string,
    input: unknown,
    options: SdkCall,
    isForClient: boolean,
  ): Promise<ToolApprovalStatus> {
    const { toolCallId: call, messages } = options
    if (!this.#approvals && !isForClient) return 'not-applicable'
    if (unusedAnswer(messages, call) !== undefined) return 'user-approval'
    this.assertBegun()
    if (this.stopped.has(call)) return 'not-applicable'
    const given = this.#given(input, call)
    const target = callTarget(this.#workspace, tool, given)
    if (this.repeats && (await wasAsked(this.#workspace, target, call))) return 'user-approval'
    const made = { call, aiSdk: optionsOf(options).aiSdk, ...this.#servicesFor(options) }
    if (!isForClient && !(await this.#workspace.approvals.asksAbout(tool, given, made))) {
      return 'not-applicable'
    }
    const response = await this.#call(tool, given, made)
    if (!response.ok && this.#approvals && response.error.type === 'CONFIRMATION_REQUIRED') {
      this.#asked.set(call, String(response.error.details['confirmation']))
      // The stream is read ahead: its end may have come while the question was recorded.
      if (this.stopped.has(call)) {
        await this.#withdraw(call)
        return 'not-applicable'
      }
      // For the person who is asked: the SDK sends it to screens, and never to the model.
      const reason = sanitiseText(describeQuestion(shownIn(response)))
      return reason === '' ? 'user-approval' : { type: 'user-approval', reason }
    }
    if (!isForClient) this.#settled.set(call, response)
    return isForClient && !response.ok
      ? { type: 'denied', reason: new CallFailedError(response).message }
      : 'not-applicable'
  }

  /** Starts the calls for the client that a person approved and the client answered, before anything runs. */
  async startApproved(messages: readonly ModelMessage[]): Promise<void> {
    const approvals = readApprovals(messages)
    if (approvals.size === 0) return
    const answered = new Set(
      messages.flatMap(({ role, content }) =>
        role === 'tool'
          ? content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
          : [],
      ),
    )
    for (const { role, content } of messages) {
      if (role !== 'assistant' || typeof content === 'string') continue
      for (const part of content) {
        if (part.type !== 'tool-call' || !answered.has(part.toolCallId)) continue
        const { toolName, toolCallId, input } = part
        if (approvals.get(toolCallId)?.approved !== true) continue
        const { tool } = callTarget(this.#workspace, toolName, input)
        if (this.#available(tool)?.client !== true) continue
        const isConsented = await this.#consent(toolName, input, toolCallId)
        if (isConsented) await this.#call(toolName, input, { call: toolCallId })
      }
    }
  }

  #available(name: string) {
    return this.#workspace.getAvailableTools().find((tool) => tool.name === name)
  }

  isDeferred(tool: string): boolean {
    return this.#conversation.isDeferred(tool)
  }

  ownInput(tool: string, input: unknown): unknown {
    return callTarget(this.#workspace, tool, input).input
  }

  /**
   * Returns true for a generator function. A function that returns a stream is read to its end,
   * like any other.
   */
  streams(tool: string, input: unknown, { toolCallId: call }: SdkCall): boolean {
    const { tool: target } = callTarget(this.#workspace, tool, this.#given(input, call))
    const run = this.#available(target)?.execute
    return Object.prototype.toString.call(run) === '[object AsyncGeneratorFunction]'
  }

  async *stream(tool: string, input: unknown, options: SdkCall): AsyncGenerator {
    const stream = streamCall((onOutput, stopped) => {
      const { abortSignal } = options
      const signal = abortSignal ? AbortSignal.any([abortSignal, stopped]) : stopped
      return this.#answer(tool, input, { ...options, abortSignal: signal }, onOutput)
    })
    let last: unknown
    for await (const response of stream) {
      const output = await this.#output(tool, input, response, options)
      // The SDK repeats the last value as the result.
      const isRepeated = response.meta['preliminary'] !== true && isSameJson(output, last)
      if (this.#results === 'envelope' || !isRepeated) yield output
      last = output
    }
  }

  async call(tool: string, input: unknown, options: SdkCall): Promise<unknown> {
    return this.#output(tool, input, await this.#answer(tool, input, options), options)
  }

  isDynamic(tool: string): boolean {
    if (this.#results === 'envelope') return true
    const owner = this.#workspace.getToolSource(tool)
    if (owner === null) return this.#workspace.explain(tool).status === 'unknown'
    return owner.source === 'server' || isMeta(owner)
  }

  /**
   * Returns a response in the form of the SDK: the output of a tool of the SDK itself; else the data, or the complete
   * envelope of a result with parts, which cannot be made from its data again. Throws for a failure.
   */
  async #output(
    tool: string,
    input: unknown,
    response: ToolResponse,
    { toolCallId }: SdkCall,
  ): Promise<unknown> {
    const returned = this.#returned.get(toolCallId)
    this.#returned.delete(toolCallId)
    if (this.#results === 'envelope') return response
    // Such a tool says in its output that it failed.
    const isItsOwn = response.ok || OWN_FAILURES.has(response.error.type)
    const { cut, edited, redacted } = response.meta
    const isComplete = cut === undefined && edited === undefined && redacted === undefined
    if (returned && isItsOwn && isComplete) return returned.output
    if (!response.ok) throw new CallFailedError(response)
    if (response.content === undefined) return response.data
    if (response.meta['recorded'] !== true) return response
    const target = callTarget(this.#workspace, tool, input)
    const own = this.#available(target.tool)?.aiSdk?.()
    return (await convertsAgain(own, target.input, response)) ? response.data : response
  }

  async #answer(
    tool: string,
    input: unknown,
    options: SdkCall,
    onOutput?: OnCallOutput,
  ): Promise<ToolResponse> {
    const { toolCallId: call, messages } = options
    const approval = unusedAnswer(messages, call)
    if (approval === undefined) this.assertBegun()
    const isKnown = options.context !== undefined || this.#servicesByMessages.has(messages)
    if (this.#servicesOf && !isKnown) {
      throw new WorkspaceError(
        'RUN_NOT_STARTED',
        'The services of a call are not known: the "toolApproval" of forAiSdk was replaced.',
        { hint: 'Leave yours out: the permissions of the workspace decide which calls ask.' },
      )
    }
    const settled = this.#settled.get(call)
    const given = this.#given(input, call)
    this.#settled.delete(call)
    this.#unread.delete(call)
    if (settled !== undefined) return settled
    const isApproved = approval?.approved === true
    const isConsented = !isApproved || (await this.#consent(tool, given, call))
    const { aiSdk, ...others } = optionsOf(options)
    const onReturned = (output: unknown) => void this.#returned.set(call, { output })
    const response = await this.#call(tool, given, {
      ...others,
      aiSdk: { ...aiSdk, onReturned },
      ...this.#servicesFor(options),
      ...(isConsented && { call }),
      // The approved calls of a history run before its next request: they may have run in a process that is gone.
      ...(isApproved && { resumes: call }),
      ...(onOutput && { onOutput }),
    })
    const isLate = isApproved && this.#approvals && !response.ok
    if (isLate && response.error.type === 'CONFIRMATION_REQUIRED')
      this.late.push({ tool, input: given })
    noteCall(this.#workspace, call, response)
    return response
  }

  #consent(tool: string, input: unknown, call: string): Promise<boolean> {
    return recordApproval(this.#workspace, { tool, input, call }, this.#remember)
  }

  #call(tool: string, input: unknown, options: MadeCall): Promise<ToolResponse> {
    return this.#workspace.callTool(tool, input, { caller: 'model', ...options })
  }

  /** The context that the SDK has for the tool goes before that of the run. */
  #servicesFor({ context, messages }: SdkCall): Pick<MadeCall, 'services'> {
    const services = context ?? this.#servicesByMessages.get(messages)
    return services === undefined ? {} : { services }
  }

  #given(input: unknown, call: string): unknown {
    return this.#unread.has(call) ? this.#unread.get(call) : input
  }
}

/** Returns what the SDK gives to the functions of a tool, for `execute` and the condition of one that came from it. */
function optionsOf({ messages, context, experimental_sandbox, abortSignal }: SdkCall) {
  return {
    aiSdk: {
      messages,
      ...(context !== undefined && { context }),
      ...(experimental_sandbox !== undefined && { experimental_sandbox }),
    },
    ...(abortSignal && { signal: abortSignal }),
  }
}

/**
 * Yields a call in the form in which the SDK reads streams: each output in an envelope like that of
 * the result with `meta.preliminary`, and the envelope of the result last. The handler waits until
 * an output is read. A reader that stops aborts the call.
 */
export async function* streamCall(
  call: (onOutput: OnCallOutput, signal: AbortSignal) => Promise<ToolResponse>,
): AsyncGenerator<ToolResponse, void> {
  const stopped = new AbortController()
  const waitForOutput = () => Promise.withResolvers<{ given: CallOutput; onRead(): void }>()
  let next = waitForOutput()
  const answer = call((given) => {
    const { promise, resolve: onRead } = Promise.withResolvers<void>()
    next.resolve({ given, onRead })
    return promise
  }, stopped.signal)
  const answered = answer.then(() => null)
  try {
    for (;;) {
      const waiting = await Promise.race([next.promise, answered])
      if (waiting === null) break
      next = waitForOutput()
      const { given, onRead } = waiting
      const { call: id, tool, output: data } = given
      const ofCall = { version: RESPONSE_VERSION, tool, call: id, durationMs: 0 } as const
      yield { ok: true, data, intents: [], meta: { ...ofCall, preliminary: true } }
      onRead()
    }
    yield await answer
  } finally {
    stopped.abort(new Error('The reader of the stream has stopped.'))
  }
}
