import { randomUUID } from 'node:crypto'
import { latencyTarget } from '../../engine/decide/decide-call.ts'
import type { Command } from '../../engine/model/command.ts'
import type { KeptArguments } from '../../engine/model/consent-event.ts'
import type { CallMadeBefore } from '../../engine/decide/decide-retry.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import {
  callFailure,
  callOpen,
  givenUpError,
  refusalError,
  startNotRecorded,
} from './call-failure.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { awaitCall } from './call-report.ts'
import { keptArguments, redactorFor } from './request/check-input.ts'
import { type CallRequest, meantCall } from './request/call-request.ts'
import { type CallWrapper, runInside } from './request/call-wrapper.ts'
import { type CallInFlight, GivenUp, unlessGivenUp } from './calls-in-flight.ts'
import { countAbove } from '../commands/child-sessions.ts'
import { endCall } from './end-call.ts'
import { makePreview } from './make-preview.ts'
import { recordedResponse } from './recorded-response.ts'
import { causeOf, prepareCall, startCommand } from './prepare-call.ts'
import { runCall, type StartedCall } from './run-call.ts'
import { nameIn, workspaceClosed } from '../commands/dispatcher.ts'
import { wellFormed } from '../../kernel/json-value.ts'
import { shorten } from '../../kernel/thrown-message.ts'

/** The number of checks of a call, when its tool is replaced between check and start. */
const RECHECK_LIMIT = 3

/**
 * Calls tools, for every adapter: find the tool, activate the skill of a found tool, assess, check the
 * input, ask, log the start, run the handler, check the output, log the end.
 *
 * The tool is the one that has the name when the call starts, not when it was requested: meanwhile its skill
 * may be deactivated, or the hook of a resumed skill may fail. What runs is what was checked.
 */
export class CallPipeline {
  readonly #parts: CallPipelineParts
  #wrappers: readonly CallWrapper[] = []

  constructor(parts: CallPipelineParts) {
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
    const response = await this.#call(given)
    if (response.ok) return response
    const { type, ...rest } = wellFormed(response.error)
    return { ...response, error: { type, ...(this.#parts.context.redactor?.value(rest) ?? rest) } }
  }

  async #call(given: CallRequest): Promise<ToolResponse> {
    const { inFlight, store, context } = this.#parts
    const meant = meantCall(given, store.getState().state, context)
    // A model may invent a long name, or one with a secret: neither belongs in the log.
    const tool = context.redactor?.text(meant.tool) ?? meant.tool
    const outer = inFlight.servicesOf(this.#chainOf(meant))
    const services = meant.services ?? (outer ?? this.#parts).services
    const request = { ...meant, tool: shorten(tool), services }
    // The same call at the same time: one of them runs, and the other is decided when it was answered.
    for (let one = inFlight.unanswered(request); one; one = inFlight.unanswered(request)) await one
    // The id of a running call of another tool, or of another step, is taken.
    const { calls, stepCalls } = store.getState().state
    const open = calls.find((one) => one.call === request.call)
    const isTaken = open && (open.since < stepCalls.since || open.tool !== nameIn(request.tool))
    const running = inFlight.begin(request.call, isTaken === true, services)
    const call = running?.call ?? request.call ?? randomUUID()
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
      return await this.#startAndRun(request, running, detach)
    } catch (problem) {
      const error = problem instanceof GivenUp ? givenUpError(problem) : startNotRecorded(problem)
      return callFailure({ tool: request.tool, call }, error)
    }
  }

  /** Rejects when the log could not take the start of the call, and with `GivenUp`: nothing ran. */
  async #startAndRun(
    request: CallRequest,
    running: CallInFlight,
    detach: (answer: ToolResponse) => void,
  ): Promise<ToolResponse> {
    const { dispatcher, limits, inFlight, keepArguments, keepResults, closing } = this.#parts
    // Aborted when the call is not wanted any more. One that was aborted before it was made is recorded as such.
    const isAborted = request.signal?.aborted === true
    const signal = isAborted ? closing.signal : anySignal(closing.signal, request.signal)
    const { call } = running
    const cause = causeOf(request, call)
    const chain = this.#chainOf(request)
    for (let attempt = 1; ; attempt += 1) {
      const preparing = prepareCall(request, running, cause, signal, this.#parts)
      const prepared = await unlessGivenUp(preparing, signal)
      if ('refused' in prepared) {
        const { refused } = prepared
        return callFailure({ tool: request.tool, call, seq: refused.seq }, refusalError(refused))
      }
      const { row, checked } = prepared
      // A call that was aborted already would run in the background for nobody.
      const mayRunOn = request.background ?? row?.tool?.background ?? false
      const inBackground = mayRunOn && request.signal?.aborted !== true
      const limitMs = row?.tool?.timeoutMs ?? limits[inBackground ? 'backgroundMs' : 'timeoutMs']
      let shown: Pick<KeptArguments, 'preview'> = {}
      // Built from the state it is decided on, so that the rules about arguments are current.
      const command = (state: WorkspaceState) => {
        running.starts()
        return {
          ...startCommand(request, call, prepared, state, this.#parts),
          ...this.#withinOf(request, chain),
          background: inBackground,
          ...(keepArguments && {
            kept: { ...keptArguments(checked.given, this.#parts), ...shown },
          }),
          ...(limitMs !== Infinity && { limitMs }),
        }
      }
      const { parent } = this.#parts
      const above = parent && (await countAbove(command, cause, row, this.#parts))
      const source = (state: WorkspaceState) => ({ ...command(state), ...(above && { above }) })
      if (row?.tool?.preview !== undefined) {
        const about = { ...request, call }
        const making = makePreview(source, cause, row.tool, about, checked, this.#parts, signal)
        shown = await unlessGivenUp(making, signal)
      }
      const started = await dispatcher.dispatch(source, cause, { callOf: request.tool })
      // The only reason is that the tool was replaced after its arguments were checked.
      const isReplaced =
        !started.ok && started.code === 'changed' && started.facts.replaced === true
      if (isReplaced && attempt < RECHECK_LIMIT) continue
      if (!started.ok && started.code === 'call-made-before') {
        return recordedResponse(started.facts as unknown as CallMadeBefore, this.#parts)
      }
      const other = !started.ok && started.code === 'call-running' ? String(started.facts.call) : ''
      if (other !== '' && !chain.includes(other)) {
        await running.standAside(() => unlessGivenUp(awaitCall(other, this.#parts, signal), signal))
        attempt -= 1
        continue
      }
      if (!started.ok) {
        return callFailure(
          { tool: request.tool, call, seq: started.seq },
          refusalError(started, shown),
        )
      }
      // The row is the tool that started: the engine refuses a call whose tool was replaced.
      const { tool, owner } = row as ToolRow & { readonly tool: Tool }
      if (tool.client === true) return callOpen('waiting', tool.name, call, started.seq)
      if (inBackground) detach(callOpen('running', tool.name, call, started.seq))
      const made: StartedCall = {
        request,
        tool,
        owner,
        given: checked.given,
        input: checked.value,
        leftOut: checked.leftOut ?? [],
        cause,
        inBackground,
        limitMs,
        targetMs: latencyTarget(this.#parts.store.getState().state.policy, tool),
        chain: [...chain, call],
        signal: inBackground ? running.signal : anySignal(running.signal, request.signal),
      }
      const outcome = await runCall(made, this.#parts, (nested) => this.call(nested))
      const response = await endCall(made, outcome, this.#parts)
      if (request.call !== undefined && !keepResults) {
        const { before } = this.#parts.store.getState().state.stepCalls
        inFlight.keepResponse(started.seq, before, response)
      }
      return response
    }
  }

  /** Returns the outer calls of a nested call, from the request or from the async context. */
  #chainOf({ within }: CallRequest): readonly string[] {
    return within?.chain ?? this.#parts.inFlight.currentCalls()
  }

  #withinOf({ within, caller }: CallRequest, chain: readonly string[]): Pick<CallStart, 'within'> {
    const call = chain.at(-1)
    if (call === undefined) return {}
    const { depth: mostDepth } = this.#parts.limits
    const { origin = caller } = within ?? {}
    const isOver = within?.isOver() ?? false
    return { within: { call, isOver, origin, depth: chain.length, mostDepth } }
  }
}

type CallStart = Extract<Command, { type: 'call.start' }>

function anySignal(leaving: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given ? AbortSignal.any([leaving, given]) : leaving
}
