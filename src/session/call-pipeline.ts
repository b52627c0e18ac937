import { randomUUID } from 'node:crypto'
import { assess } from '../engine/assess.ts'
import type { Cause } from '../engine/cause.ts'
import type { OpenCall, WorkspaceState } from '../engine/state.ts'
import type { ToolRow } from '../engine/tool-row.ts'
import { RESPONSE_VERSION, type ToolResponse } from '../registry/tool-response.ts'
import type { Tool } from '../registry/tool.ts'
import { callFailure, endNotRecorded, startNotRecorded } from './call-failure.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallRequest } from './call-request.ts'
import { callScope } from './call-scope.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import { checkInput } from './check-input.ts'
import { bridgedCall } from './discovery/bridged-call.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { handlerContext } from './handler-context.ts'
import { runningHookOf } from './hook-scope.ts'
import { inputByPolicy } from './input-by-policy.ts'
import { loadForCall } from './load-for-call.ts'
import { extractEntities } from './memory/extract-entities.ts'
import type { Outcome } from './outcome.ts'
import { refusalError } from './refusal-response.ts'
import { runHandler, type HandlerEnd } from './handler/run-handler.ts'
import { shorten } from './handler/shorten.ts'
import type { SessionStore } from './session-store.ts'
import { workspaceClosed } from './workspace-closed.ts'

/** How often a call is checked anew because its tool changed between check and start. */
const RECHECK_LIMIT = 3

/**
 * The one way a tool is called, for every adapter:
 * find, load the skill of a found tool, assess, check the input, ask, log the start, run, check the
 * output, log the end with what it was about.
 */
export class CallPipeline {
  readonly #parts: CallPipelineParts

  constructor(parts: CallPipelineParts) {
    this.#parts = parts
  }

  /** Call a tool. Resolves with an envelope whatever happens. */
  async call(given: CallRequest): Promise<ToolResponse> {
    const { inFlight, store, surroundings } = this.#parts
    const meant = bridgedCall(given, store.getState().state, surroundings)
    // No tool has so long a name, and a model's invention must not fill the log.
    const request = { ...meant, tool: shorten(meant.tool) }
    const running = inFlight.begin(request.call, (id) =>
      store.getState().state.calls.some(({ call }) => call === id),
    )
    if (running === null) {
      const call = request.call ?? randomUUID()
      return callFailure({ tool: request.tool, call }, startNotRecorded(workspaceClosed()))
    }
    try {
      return await this.#pass(request, running)
    } catch (problem) {
      const { call } = running
      return callFailure({ tool: request.tool, call }, startNotRecorded(problem))
    } finally {
      running.end()
    }
  }

  /** Rejects when the log could not take the start of the call: nothing ran. */
  async #pass(request: CallRequest, running: CallInFlight): Promise<ToolResponse> {
    const { dispatcher, limits } = this.#parts
    const { call } = running
    const cause = causeOf(request, call)
    const unloaded = await loadForCall(request.tool, cause, this.#parts)
    if (unloaded) {
      const { seq } = unloaded
      return callFailure({ tool: request.tool, call, seq }, refusalError(unloaded))
    }
    for (let attempt = 1; ; attempt += 1) {
      const row = await this.#find(request.tool, running)
      const checked = await checkInput(row?.tool, request.input, limits.timeoutMs)
      // Made of the state it is decided on: rules about arguments are those of that moment.
      const command = ({ policy }: WorkspaceState) => ({
        type: 'call.start' as const,
        call,
        tool: request.tool,
        hash: row?.claim.hash ?? null,
        input: inputByPolicy(checked, request.input, policy),
        caller: request.caller,
        confirmationMs: limits.confirmationMs,
      })
      const started = await dispatcher.dispatch(command, cause)
      if (!started.ok && wasReplaced(started) && attempt < RECHECK_LIMIT) continue
      if (!started.ok) {
        return callFailure({ tool: request.tool, call, seq: started.seq }, refusalError(started))
      }
      const tool = row?.tool as Tool
      const outcome = await this.#run(request, call, tool, checked.value, cause, running.signal)
      return this.#end(call, tool, outcome, cause)
    }
  }

  /**
   * The tool's row, once the skill it comes from is whole in this process. A call made by a hook
   * waits for none: it is refused anyway, and the hook may be the one that is waited for.
   */
  async #find(address: string, running: CallInFlight): Promise<ToolRow | null> {
    const { store, surroundings, resumed, dispatcher } = this.#parts
    const standing = assess(store.getState().state, surroundings, address)
    if (standing.kind !== 'registered') return null
    const { owner, status } = standing.row
    running.belongsTo(owner.source === 'skill' ? owner.owner : null)
    if (owner.source === 'skill' && status === 'available' && !runningHookOf(dispatcher)) {
      const { owner: skill, since } = owner
      const command = { type: 'skill.resume' as const, skill, since }
      await resumed.ensure(owner, () => dispatcher.dispatch(command, { by: 'resume' }))
    }
    return standing.row
  }

  #run(
    request: CallRequest,
    call: string,
    tool: Tool,
    input: unknown,
    cause: Cause,
    leaving: AbortSignal,
  ): Promise<HandlerEnd> {
    const { store, limits, clock, inFlight } = this.#parts
    const { source, owner } = startedCall(store, call)
    let isOver = false
    const context = handlerContext(this.#parts, {
      isOver: () => isOver,
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
        onLate: () => inFlight.noteLate(),
      }).finally(() => {
        isOver = true
      }),
    )
  }

  /** Log the end, then put away the skills whose lifetime is over. */
  async #end(call: string, called: Tool, outcome: HandlerEnd, cause: Cause): Promise<ToolResponse> {
    const { dispatcher } = this.#parts
    const { name: tool } = called
    const durationMs = Math.round(outcome.durationMs)
    const error = outcome.ok ? null : outcome.error.type
    const intents = outcome.ok ? outcome.intents : []
    const extracted = outcome.ok ? extractEntities(called, outcome.data) : undefined
    const facts = { call, tool, ok: outcome.ok, error, durationMs, intents }
    const command = { type: 'call.end' as const, ...facts, ...(extracted && { extracted }) }
    let ended: Outcome
    try {
      ended = await dispatcher.dispatch(command, cause)
    } catch (problem) {
      this.#parts.inFlight.owe({ command, cause })
      return callFailure({ tool, call, durationMs }, endNotRecorded(tool, outcome, problem))
    }
    await endLifetimes(this.#parts)
    const own = { version: RESPONSE_VERSION, tool, call, durationMs, seq: ended.seq } as const
    const meta = { ...outcome.meta, ...own }
    return outcome.ok
      ? { ok: true, data: outcome.data, intents: outcome.intents, meta }
      : { ok: false, error: outcome.error, meta }
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

/** Refused only because the definition was replaced after the arguments were checked. */
function wasReplaced({ code, facts }: Extract<Outcome, { ok: false }>): boolean {
  return code === 'changed' && facts.replaced === true
}
