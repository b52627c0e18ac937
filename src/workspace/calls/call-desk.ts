import { foldDrafts, questionIn } from '../../engine/decide/decision.ts'
import type { Cause } from '../../engine/model/cause.ts'
import { assess, stateFor } from '../../engine/standing/assess.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import { checkOptions } from '../../kernel/check-options.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import { callFailure, givenUpError, startNotRecorded } from './call-failure.ts'
import { CallLoop } from './call-loop.ts'
import type { DeskParts } from './desk-parts.ts'
import {
  CALL_OPTIONS,
  CALLER_OPTIONS,
  type CallOptions,
  type CallRequest,
  meantCall,
  type RequestedCall,
} from './request/call-request.ts'
import { redactorFor } from './request/check-input.ts'
import { type CallWrapper, runInside } from './request/call-wrapper.ts'
import { type CallInFlight, GivenUp, unlessGivenUp } from './calls-in-flight.ts'
import { nameIn, workspaceClosed } from '../commands/dispatcher.ts'
import { isAskedAbout } from '../commands/loading-question.ts'
import { wellFormed } from '../../kernel/json-value.ts'
import { shorten } from '../../kernel/thrown-message.ts'

/** The desk of calls: takes the calls of a session, and answers questions about them, for every adapter. */
export class CallDesk {
  readonly #parts: DeskParts
  #wrappers: readonly CallWrapper[] = []

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  /** Runs code around every call that is made from now on; returns the function that stops it. */
  wrap(wrapper: CallWrapper): () => void {
    this.#wrappers = [...this.#wrappers, wrapper]
    return () => {
      this.#wrappers = this.#wrappers.filter((one) => one !== wrapper)
    }
  }

  /** Calls a tool. Always resolves with an envelope. Its data is what the handler returned. */
  async call(given: CallRequest): Promise<ToolResponse> {
    return this.#redacted(await this.#call(given))
  }

  #redacted(response: ToolResponse): ToolResponse {
    if (response.ok) return response
    const { type, ...rest } = wellFormed(response.error)
    const shown = this.#parts.context.redactor?.value(rest) ?? rest
    const meta = shown === rest ? response.meta : { ...response.meta, redacted: true }
    return { ...response, error: { type, ...shown }, meta }
  }

  /** Returns a call of the tool that a call means, with the host's objects for it. */
  #meant(given: CallRequest): CallRequest {
    const { inFlight, store, context } = this.#parts
    const meant = meantCall(given, store.getState().state, context)
    // A model may invent a long name, or one with a secret: neither belongs in the log.
    const tool = shorten(context.redactor?.text(meant.tool) ?? meant.tool)
    const outer = inFlight.servicesOf(this.#outerCalls(meant))
    const { onEnd, services } = meant
    const ended = onEnd && { onEnd: (one: ToolResponse) => onEnd(this.#redacted(one)) }
    return { ...meant, tool, services: services ?? (outer ?? this.#parts).services, ...ended }
  }

  #isUnknown(tool: string): boolean {
    const { store, context } = this.#parts
    return ['unknown', 'gone'].includes(assess(store.getState().state, context, tool).kind)
  }

  async #call(given: CallRequest): Promise<ToolResponse> {
    const { inFlight, store, context, servers } = this.#parts
    let request = this.#meant(given)
    try {
      // A name that is not known may be in a list that a server announced.
      const announced = this.#isUnknown(request.tool) ? servers.announced() : undefined
      if (announced !== undefined) {
        await (request.signal ? unlessGivenUp(announced, request.signal) : announced)
        request = this.#meant(given)
      }
      // The same call at the same time: one of them runs, and the other is decided when it was answered.
      for (let one = inFlight.unanswered(request); one; one = inFlight.unanswered(request)) {
        await (request.signal ? unlessGivenUp(one, request.signal) : one)
      }
    } catch (problem) {
      const { tool, call: id = '' } = request
      return callFailure({ tool, call: id }, givenUpError(problem as GivenUp))
    }
    const { services } = request
    // The id of a running call of another tool, or of another step, is taken.
    const { calls, stepCalls } = store.getState().state
    const open = calls.find((one) => one.call === request.call)
    const isTaken = open && (open.since < stepCalls.since || open.tool !== nameIn(request.tool))
    const running = inFlight.begin(request.call, isTaken === true, services)
    const call = running?.call ?? request.call ?? crypto.randomUUID()
    const redact = <T>(value: T): T => redactorFor(context).value(value)
    const answer = Promise.withResolvers<ToolResponse>()
    const run = this.#wrappers.reduceRight<() => Promise<ToolResponse>>(
      (inner, wrapper) => () => runInside(wrapper, { call, request, redact }, inner),
      () => this.#make(request, call, running, answer.resolve),
    )
    void run().then((response) => {
      running?.end()
      answer.resolve(response)
    })
    inFlight.noteUnanswered(request, answer.promise)
    return answer.promise
  }

  /**
   * Makes a call, unless the workspace is closed. Never rejects.
   *
   * @param detach called with the answer of a call that continues in the background
   */
  async #make(
    request: CallRequest,
    call: string,
    running: CallInFlight | null,
    detach: (answer: ToolResponse) => void,
  ): Promise<ToolResponse> {
    try {
      if (running === null) throw workspaceClosed()
      const loop = new CallLoop(this.#made(request, true, call), running, this.#parts)
      return await loop.make(detach, (nested) => this.call(nested))
    } catch (problem) {
      const error = problem instanceof GivenUp ? givenUpError(problem) : startNotRecorded(problem)
      return callFailure({ tool: request.tool, call }, error)
    }
  }

  /**
   * Returns true when a call would ask a person first now: the decision about it, of which nothing is recorded. A call of
   * a found tool is decided in the state that the activation of its skill leads to. False for a call that would be refused
   * for another reason. An approval store that fails counts as empty.
   */
  async asksAbout(tool: string, input: unknown, options: CallOptions = {}): Promise<boolean> {
    checkOptions(options, CALL_OPTIONS)
    options.signal?.throwIfAborted()
    const { store, context, dispatcher, parent } = this.#parts
    await parent?.known.read()
    const { caller = 'model' } = options
    const now = () => stateFor(caller, store.getState().state)
    const made = this.#made(this.#meant({ ...options, caller, tool, input }), false)
    const { request } = made
    const loading = skillLoadedByCall(now(), context, request.tool)
    if (loading !== null && (await isAskedAbout(loading.skill, this.#parts))) return false
    const stateAtCall = () => {
      const state = now()
      if (loading === null) return state
      const { skill } = loading
      const activation = { type: 'skill.activate', skill, unlessActive: true } as const
      return foldDrafts(dispatcher.preview(activation, made.cause, state).drafts, state)
    }
    const loop = new CallLoop(made, null, this.#parts, stateAtCall)
    return questionIn(await loop.decide()) !== null
  }

  /**
   * Asks a person about a call that is not made: activates the skill of a found tool, and records the question. Returns its
   * id; null when nobody is asked, since the call would run or be refused. Once it is approved, the call runs.
   */
  ask(tool: string, input: unknown, options: CallOptions = {}): Promise<string | null> {
    checkOptions(options, CALL_OPTIONS)
    options.signal?.throwIfAborted()
    const made = this.#made(this.#meant({ caller: 'model', ...options, tool, input }), true)
    return new CallLoop(made, null, this.#parts).ask()
  }

  #made(
    request: CallRequest,
    isMade: boolean,
    call = request.call ?? crypto.randomUUID(),
  ): RequestedCall {
    const { signal: closing } = this.#parts.closing
    // One that was aborted before it was made is recorded as such.
    const given = request.signal?.aborted === false ? request.signal : null
    const signal = given ? AbortSignal.any([closing, given]) : closing
    const chain = isMade ? this.#outerCalls(request) : []
    return { request, call, cause: callCause(request, call), chain, signal, isMade }
  }

  /** Returns the outer calls of a nested call, from the request or from the async context. */
  #outerCalls({ within }: CallRequest): readonly string[] {
    return within?.chain ?? this.#parts.inFlight.currentCalls()
  }
}

/** The cause of a call by a handler is that handler's own call. */
function callCause({ caller, within }: CallRequest, call: string): Cause {
  switch (caller) {
    case 'model':
      return { by: caller, call }
    case 'tool':
      return { by: caller, call: within?.chain.at(-1) ?? call }
    case 'user':
    case 'host':
      return { by: caller }
  }
}

/** Returns the caller that options name. Throws `OPTIONS_INVALID`. */
export function checkedCaller(options?: Pick<CallOptions, 'caller'>): CallOptions['caller'] {
  if (options !== undefined) checkOptions(options, CALLER_OPTIONS)
  return options?.caller
}
