import { WorkspaceError } from '../kernel/workspace-error.ts'
import { assess } from '../engine/assess.ts'
import type { Cause } from '../engine/cause.ts'
import { spentLifetimes } from '../engine/spent-lifetimes.ts'
import type { OpenCall } from '../engine/state.ts'
import type { ToolRow } from '../engine/tool-row.ts'
import { ErrorType } from '../registry/error-type.ts'
import {
  RESPONSE_VERSION,
  responseError,
  type ResponseError,
  type ToolFailure,
  type ToolResponse,
} from '../registry/tool-response.ts'
import type { Tool } from '../registry/tool.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallRequest } from './call-request.ts'
import { callScope } from './call-scope.ts'
import { checkInput } from './check-input.ts'
import { handlerContext } from './handler-context.ts'
import type { Outcome } from './outcome.ts'
import { refusalError } from './refusal-response.ts'
import { runHandler, type HandlerOutcome } from './run-handler.ts'
import { thrownMessage } from './thrown-message.ts'
import type { SessionStore } from './session-store.ts'

/** How often a call is checked anew because its tool changed between check and start. */
const RECHECK_LIMIT = 3

/**
 * The one way a tool is called, for every adapter:
 * find, assess, check the input, ask, log the start, run, check the output, log the end.
 */
export class CallPipeline {
  readonly #parts: CallPipelineParts

  constructor(parts: CallPipelineParts) {
    this.#parts = parts
  }

  /** Call a tool. Resolves with an envelope whatever happens. */
  async call(request: CallRequest): Promise<ToolResponse> {
    const call = this.#parts.inFlight.freeId(request.call)
    const cause = causeOf(request, call)
    for (let attempt = 1; ; attempt += 1) {
      const row = await this.#find(request.tool)
      const checked = await checkInput(row?.tool, request.input)
      const { inFlight, dispatcher, limits } = this.#parts
      const running = inFlight.begin(call, row?.owner.owner ?? '')
      try {
        const command = {
          type: 'call.start' as const,
          call,
          tool: request.tool,
          hash: row?.claim.hash ?? null,
          input: checked.input,
          caller: request.caller,
          confirmationMs: limits.confirmationMs,
        }
        const started = await dispatcher.dispatch(command, cause).catch(notRecorded)
        if ('error' in started) return failed(request.tool, call, undefined, started.error)
        if (!started.ok && wasReplaced(started) && attempt < RECHECK_LIMIT) continue
        if (!started.ok) return failed(request.tool, call, started.seq, refusalError(started))
        const tool = row?.tool as Tool
        const outcome = await this.#run(request, call, tool, checked.value, cause, running.signal)
        return await this.#end(call, tool.name, outcome, cause)
      } finally {
        running.end()
      }
    }
  }

  /** The tool's row, once the skill it comes from is whole in this process. */
  async #find(address: string): Promise<ToolRow | null> {
    const { store, surroundings, resumed, dispatcher } = this.#parts
    const standing = assess(store.getState().state, surroundings, address)
    if (standing.kind !== 'registered') return null
    const { row } = standing
    if (row.owner.source === 'skill' && row.status === 'available') {
      const problem = await resumed.ensure(row.owner)
      if (problem !== null) {
        const skill = row.owner.owner
        await dispatcher.dispatch(
          { type: 'skill.break', skill, message: problem },
          { by: 'resume' },
        )
      }
    }
    return row
  }

  #run(
    request: CallRequest,
    call: string,
    tool: Tool,
    input: unknown,
    cause: Cause,
    leaving: AbortSignal,
  ): Promise<HandlerOutcome> {
    const { store, limits, clock } = this.#parts
    const { source, owner } = startedCall(store, call)
    const context = handlerContext(this.#parts, {
      call: {
        id: call,
        tool: tool.name,
        owner,
        session: this.#parts.session,
        caller: request.caller,
      },
      component: source === 'component' ? owner : null,
      cause,
    })
    const signal = request.signal ? AbortSignal.any([leaving, request.signal]) : leaving
    const within = [...(callScope.getStore() ?? []), call]
    return callScope.run(within, () =>
      runHandler({
        tool,
        input,
        context,
        signal,
        timeoutMs: tool.timeoutMs ?? limits.timeoutMs,
        maxBytes: limits.maxBytes,
        monotonic: () => clock.monotonic(),
      }),
    )
  }

  /** Log the end, then put away the skills whose uses are spent by it. */
  async #end(
    call: string,
    tool: string,
    outcome: HandlerOutcome,
    cause: Cause,
  ): Promise<ToolResponse> {
    const { dispatcher } = this.#parts
    const durationMs = Math.round(outcome.durationMs)
    const error = outcome.ok ? null : outcome.error.type
    const intents = outcome.ok ? outcome.intents : []
    let ended: Outcome
    try {
      ended = await dispatcher.dispatch(
        { type: 'call.end', call, ok: outcome.ok, error, durationMs, intents },
        cause,
      )
    } catch (problem) {
      return failed(tool, call, undefined, logFailed(tool, outcome, problem), durationMs)
    }
    await this.#endLifetimes()
    const meta = { version: RESPONSE_VERSION, tool, call, durationMs, seq: ended.seq } as const
    return outcome.ok
      ? { ok: true, data: outcome.data, intents: outcome.intents, meta }
      : { ok: false, error: outcome.error, meta }
  }

  async #endLifetimes(): Promise<void> {
    const { store, dispatcher } = this.#parts
    for (const skill of spentLifetimes(store.getState().state)) {
      await dispatcher.dispatch(
        { type: 'skill.deactivate', skill, cascade: true },
        { by: 'lifetime', of: skill },
      )
    }
  }
}

function causeOf({ caller }: CallRequest, call: string): Cause {
  return caller === 'model' ? { by: 'model', call } : { by: caller }
}

function startedCall(store: SessionStore, call: string): OpenCall {
  const started = store.getState().state.calls.find((one) => one.call === call)
  if (!started) throw new Error(`call ${call} is not in the state it was just started in`)
  return started
}

/** The log could not take the start of a call, or the session is over: nothing ran. */
function notRecorded(problem: unknown): { readonly error: ResponseError } {
  const known = WorkspaceError.is(problem) ? problem : null
  const over = known?.code === 'WORKSPACE_CLOSED' || known?.code === 'READ_ONLY'
  const told = known ? `${known.message} ${known.hint}`.trim() : thrownMessage(problem)
  const error = responseError(
    over ? ErrorType.SESSION_INACTIVE : ErrorType.INTERNAL,
    over ? told : `The session could not record the call, so it was not made: ${told}`,
    { code: known?.code ?? 'start-not-recorded' },
  )
  return { error: { ...error, partialSideEffects: false } }
}

/** Refused only because the definition was replaced after the arguments were checked. */
function wasReplaced({ code, facts }: Extract<Outcome, { ok: false }>): boolean {
  return code === 'changed' && facts.replaced === true
}

function failed(
  tool: string,
  call: string,
  seq: number | undefined,
  error: ResponseError,
  durationMs = 0,
): ToolFailure {
  const at = seq === undefined ? {} : { seq }
  return { ok: false, error, meta: { version: RESPONSE_VERSION, tool, call, durationMs, ...at } }
}

function logFailed(tool: string, { ok }: HandlerOutcome, problem: unknown): ResponseError {
  const why = thrownMessage(problem)
  const ran = ok ? 'ran' : 'ran and failed'
  return responseError(
    ErrorType.INTERNAL,
    `"${tool}" ${ran}, but the session could not record its end: ${why}`,
    { code: 'end-not-recorded', handlerSucceeded: ok },
  )
}
