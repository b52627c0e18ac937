import { randomUUID } from 'node:crypto'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { RunningCall } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  RESPONSE_VERSION,
  type ToolResponse,
  type ToolSuccess,
} from '../../tools/response/tool-response.ts'
import { storedApproval } from './approval-store.ts'
import { bridgedCall } from './bridged-call.ts'
import { callFailure, refusalError, startNotRecorded } from './call-failure.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallRequest } from './call-request.ts'
import { type CallInFlight, callScope } from './calls-in-flight.ts'
import { checkInput, matchPolicyRules } from './check-input.ts'
import { endCall } from './end-call.ts'
import { runCall, type StartedCall } from './run-call.ts'
import { workspaceClosed } from '../commands/dispatcher.ts'
import type { Outcome } from '../commands/outcome.ts'
import { runningHookOf } from '../commands/run-hooks.ts'
import { shorten } from '../commands/thrown-message.ts'

/** How often a call is checked because its tool became another's, or another one, between check and start. */
const RECHECK_LIMIT = 3

/**
 * The one way a tool is called, for every adapter:
 * find, load the skill of a found tool, assess, check the input, ask, log the start, run, check the
 * output, log the end with what it was about.
 *
 * A call is of the tool that has its name when it starts, as if it had come just then: it may wait for
 * a skill that leaves, or for the hook of a resumed one that fails. What runs is what was checked.
 */
export class CallPipeline {
  readonly #parts: CallPipelineParts

  constructor(parts: CallPipelineParts) {
    this.#parts = parts
  }

  /** Call a tool. Resolves with an envelope whatever happens; data is as the handler gave it. */
  async call(given: CallRequest): Promise<ToolResponse> {
    const response = await this.#call(given)
    const { redactor } = this.#parts.surroundings
    if (response.ok || redactor === undefined) return response
    const { type, ...told } = response.error
    return { ...response, error: { type, ...redactor.value(told) } }
  }

  async #call(given: CallRequest): Promise<ToolResponse> {
    const { inFlight, store, surroundings } = this.#parts
    const meant = bridgedCall(given, store.getState().state, surroundings)
    // No tool has so long a name, and a model's invention must not fill the log, nor tell a secret.
    const tool = surroundings.redactor?.text(meant.tool) ?? meant.tool
    const request = { ...meant, tool: shorten(tool) }
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
    const chain = this.#chainOf(request)
    const unloaded = await activateForCall(request.tool, cause, this.#parts)
    if (unloaded) {
      const { seq } = unloaded
      return callFailure({ tool: request.tool, call, seq }, refusalError(unloaded))
    }
    for (let attempt = 1; ; attempt += 1) {
      const row = await rowForCall(request.tool, running, this.#parts)
      const checked = await checkInput(row?.tool, request.input, limits.timeoutMs)
      const stored = await storedApproval(row, this.#parts)
      const inBackground = runsInBackground(request, row?.tool)
      const limitMs = row?.tool?.timeoutMs ?? limits[inBackground ? 'backgroundMs' : 'timeoutMs']
      // Made of the state it is decided on: rules about arguments are those of that moment.
      const command = ({ policy }: WorkspaceState) => {
        running.starts()
        return {
          type: 'call.start' as const,
          call,
          tool: request.tool,
          hash: row?.claim.hash ?? null,
          since: row?.owner.since ?? null,
          input: matchPolicyRules(checked, policy),
          caller: request.caller,
          ...this.#withinOf(request, chain),
          background: inBackground,
          confirmationMs: limits.confirmationMs,
          limitMs,
          ...(stored && { stored }),
        }
      }
      const started = await dispatcher.dispatch(command, cause)
      if (!started.ok && wasReplaced(started) && attempt < RECHECK_LIMIT) continue
      if (!started.ok) {
        return callFailure({ tool: request.tool, call, seq: started.seq }, refusalError(started))
      }
      // What was started is what was found: else it would have been refused.
      const { tool, owner } = row as ToolRow & { readonly tool: Tool }
      const ending = this.#complete({
        request,
        tool,
        owner,
        given: checked.given,
        input: checked.value,
        cause,
        inBackground,
        limitMs,
        chain: [...chain, call],
        signal: inBackground ? running.signal : anySignal(running.signal, request.signal),
      })
      if (!inBackground) return ending
      running.goesOn(ending)
      return callDetached(tool.name, call, started.seq)
    }
  }

  async #complete(started: StartedCall): Promise<ToolResponse> {
    const outcome = await runCall(started, this.#parts, (request) => this.call(request))
    return endCall(started, outcome, this.#parts)
  }

  /** The calls that one is within: as its handler says, or as the code that makes it was called. */
  #chainOf({ within }: CallRequest): readonly string[] {
    const { inFlight } = this.#parts
    return within?.chain ?? (callScope.getStore() ?? []).filter((call) => inFlight.isRunning(call))
  }

  #withinOf({ within }: CallRequest, chain: readonly string[]): Pick<CallStart, 'within'> {
    const call = chain.at(-1)
    if (call === undefined) return {}
    const { depth: mostDepth } = this.#parts.limits
    return { within: { call, isOver: within?.isOver() ?? false, depth: chain.length, mostDepth } }
  }
}

/** A call by a handler is caused by that handler's own call. */
function causeOf({ caller, within }: CallRequest, call: string): Cause {
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

type CallStart = Extract<Command, { type: 'call.start' }>

/** Nobody waits for a call in the background; one that is given up on already is not begun there. */
function runsInBackground({ background, signal }: CallRequest, tool: Tool | undefined): boolean {
  return (background ?? tool?.background ?? false) && signal?.aborted !== true
}

function anySignal(leaving: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given ? AbortSignal.any([leaving, given]) : leaving
}

/** Refused only because the arguments were checked for another tool than the one that is there now. */
function wasReplaced({ code, facts }: Extract<Outcome, { ok: false }>): boolean {
  return code === 'changed' && facts.replaced === true
}

/**
 * Load the skill that a call of a found tool needs, by the same command as anyone's: hooks,
 * conflicts and permissions count. Null when the call needs none, or the skill came.
 *
 * A tool that nobody registers here may have been found, or its skill loaded, by another process: the
 * log is asked before the call is judged.
 *
 * A refusal has the status of the tool as its code, as every call that is refused, and tells why
 * the skill did not come.
 */
async function activateForCall(
  address: string,
  cause: Cause,
  parts: CallPipelineParts,
): Promise<Extract<Outcome, { ok: false }> | null> {
  const { store, surroundings, dispatcher } = parts
  if (runningHookOf(dispatcher)) return null
  const loadedByCall = () => skillLoadedByCall(store.getState().state, surroundings, address)
  let loading = loadedByCall()
  if (loading === null && isUnregistered(store.getState().state, surroundings, address)) {
    await dispatcher.catchUp()
    loading = loadedByCall()
  }
  if (loading === null) return null
  const { skill } = loading
  const command = { type: 'skill.activate' as const, skill, unlessActive: true }
  const outcome = await dispatcher.dispatch(command, cause, { drain: true })
  if (outcome.ok) return null
  const { code, message, hint, facts } = outcome
  return {
    ...outcome,
    code: 'skill-inactive',
    message: `The tool "${address}" is not available (skill-inactive): its skill "${skill}" could not be loaded. ${message}`,
    hint,
    facts: { ...facts, tool: address, skill, activation: code },
  }
}

function isUnregistered(state: WorkspaceState, around: EngineContext, address: string): boolean {
  return assess(state, around, address).kind === 'unregistered'
}

/**
 * The row of the tool a call is of, once the skill it comes from is whole in this process; null for a
 * tool that nobody registers. A skill whose hook fails may share the tool with another owner, who is
 * asked next.
 *
 * A call made by a hook waits for none: it is refused anyway, and the hook may be the one that is
 * waited for. Rejects when the log could not take what a hook came to.
 */
async function rowForCall(
  address: string,
  running: CallInFlight,
  parts: CallPipelineParts,
): Promise<ToolRow | null> {
  const { resumed, dispatcher } = parts
  const row = rowAt(address, parts)
  const skill = row?.owner.source === 'skill' ? row.owner : null
  running.belongsTo(skill?.owner ?? null)
  if (skill === null || row?.status !== 'available' || runningHookOf(dispatcher)) return row
  const { owner, since } = skill
  const command = { type: 'skill.resume' as const, skill: owner, since }
  await resumed.ensure(skill, () => dispatcher.dispatch(command, { by: 'resume' }))
  const after = rowAt(address, parts)
  return after?.owner.since === since ? after : rowForCall(address, running, parts)
}

function rowAt(address: string, { store, surroundings }: CallPipelineParts): ToolRow | null {
  const standing = assess(store.getState().state, surroundings, address)
  return standing.kind === 'registered' ? standing.row : null
}

/** What a call answers with that goes on in the background. */
function callDetached(tool: string, call: string, seq: number): ToolSuccess<RunningCall> {
  const meta = { version: RESPONSE_VERSION, tool, call, durationMs: 0, seq } as const
  return { ok: true, data: { status: 'running', call }, intents: [], meta }
}
