import { latencyTarget } from '../../engine/decide/decide-call.ts'
import { withoutUndefined } from '../../kernel/json-value.ts'
import type { CallMadeBefore } from '../../engine/decide/decide-retry.ts'
import { type Decision, questionIn } from '../../engine/decide/decision.ts'
import {
  nextNeed,
  type SuppliedFacts,
  type SuppliedNeed,
} from '../../engine/standing/call-prospect.ts'
import type { CommandOf, StoredApproval } from '../../engine/model/command.ts'
import { allConfirmations, type KeptArguments } from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess, stateFor } from '../../engine/standing/assess.ts'
import { answeredRequest } from '../conversation/kept-answer.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { checkHandler } from '../../tools/definition/guard-handler.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import { runningHookOf } from '../commands/carry-out-plan.ts'
import { countAbove } from '../commands/child-sessions.ts'
import { activateFound } from '../commands/loading-question.ts'
import { notifyListener, type Outcome } from '../commands/outcome.ts'
import { askDuringCall, askStore } from './approve.ts'
import { callOpen, refusedCall } from './call-failure.ts'
import type { DeskParts } from './desk-parts.ts'
import { awaitCall } from './call-report.ts'
import { type CallInFlight, unlessGivenUp } from './calls-in-flight.ts'
import { untilAborted } from '../commands/with-time-limit.ts'
import { endCall, keepsResult } from './end-call.ts'
import { askFunctions } from './ask-functions.ts'
import { makePreview } from './make-preview.ts'
import { recordedResponse } from './recorded-response.ts'
import { BudgetPart } from './request/call-budget.ts'
import { nestedIn, type RequestedCall } from './request/call-request.ts'
import {
  checkCall,
  type FunctionAnswers,
  type InputCheck,
  keptArguments,
  matchBridgeRules,
  matchPolicyRules,
  NO_ANSWERS,
  UNCHECKED,
} from './request/check-input.ts'
import { type MakeCall, runCall } from './run-call.ts'

/** The facts about a call that no state has. */
interface KnownFacts extends SuppliedFacts {
  readonly arguments?: Pick<StartCommand, 'hash' | 'since'> & { readonly checked: InputCheck }
  readonly 'ask-function'?: FunctionAnswers
  readonly 'ask-store'?: StoredApproval
  readonly preview?: Pick<KeptArguments, 'preview'>
}

type StartCommand = CommandOf<'call.start'>

type StartedRow = ToolRow & { readonly tool: Tool }

type Refused = Extract<Outcome, { ok: false }>

/** The number of checks of a call whose tool is replaced between check and start. */
const CHECK_LIMIT = 3

/**
 * One call, from its request to its end: what the decision about it needs is supplied, one thing after another, until the
 * call is decided. The tool is the one that has the name when the call starts, and what runs is what was checked.
 */
export class CallLoop {
  readonly #made: RequestedCall
  readonly #running: CallInFlight | null
  readonly #parts: DeskParts
  readonly #state: () => WorkspaceState
  readonly #part: BudgetPart
  #known: KnownFacts = {}
  #checks = 0

  /**
   * @param running the call among those of this process; null for one that is only decided about
   * @param state returns the state to decide in; that of the session, for the caller, when absent
   */
  constructor(
    made: RequestedCall,
    running: CallInFlight | null,
    parts: DeskParts,
    state?: () => WorkspaceState,
  ) {
    this.#made = made
    this.#running = running
    this.#parts = parts
    this.#part = new BudgetPart(parts)
    this.#state = state ?? (() => stateFor(made.request.caller, parts.store.getState().state))
  }

  /**
   * Makes the call. Rejects when the log could not take its start, and with `GivenUp`: nothing ran.
   *
   * @param detach called with the answer of a call that continues in the background
   * @param makeNested makes a call for the handler
   */
  async make(detach: (answer: ToolResponse) => void, makeNested: MakeCall): Promise<ToolResponse> {
    for (;;) {
      const refused = await this.#supplyNeeds()
      if (refused !== null) return this.#failure(refused)
      const row = this.#row()
      const started = await this.#start(row)
      // The row is the tool that started: the engine refuses a call whose tool was replaced.
      if (started.ok) return this.#run(row as StartedRow, started.seq, detach, makeNested)
      if (started.code === 'call-made-before')
        return recordedResponse(started.facts as unknown as CallMadeBefore, this.#parts)
      if (!(await this.#isDecidedAgain(started))) return this.#failure(started)
    }
  }

  /** Decides about the call, without hooks, and records nothing. */
  async decide(): Promise<Decision> {
    await this.#supplyNeeds()
    return this.#preview(this.#row(), this.#state())
  }

  /** Records the question about the call, if one is asked, and makes nothing. Resolves with its id. */
  async ask(): Promise<string | null> {
    if ((await this.#supplyNeeds()) !== null) return null
    const row = this.#row()
    const command = (state: WorkspaceState) => ({ ...this.#command(row, state), asksOnly: true })
    const asked = await this.#parts.dispatcher.dispatch(command, this.#made.cause)
    if (asked.ok) return null
    // The only other refusal is that of a command inside a hook.
    if (asked.code !== 'confirmation-required') asked.orThrow()
    return String(asked.facts['confirmation'])
  }

  /** Supplies what the decision needs. Resolves with a refusal when something could not be supplied, else with null. */
  async #supplyNeeds(): Promise<Refused | null> {
    const { request, signal } = this.#made
    if (request.stopped !== undefined) return null
    const { parent, dispatcher, context } = this.#parts
    const isMade = this.#made.isMade && !runningHookOf(dispatcher)
    if (isMade && parent !== null) await dispatcher.inherit()
    const origin = request.within?.origin ?? request.caller
    for (;;) {
      if (this.#known.arguments === undefined) await checkHandler(this.#row()?.tool)
      const row = this.#row()
      const need = nextNeed({ row, origin, isMade }, this.#known, this.#state(), context)
      if (need === null || (need === 'arguments' && this.#checks === CHECK_LIMIT)) return null
      const until = this.#running === null ? untilAborted : unlessGivenUp
      const found = await until(this.#supply(need, row), signal)
      if ('refused' in found) return found.refused
      const { activate, resume } = this.#known
      // What is known about another tool does not count for this one.
      this.#known = { ...(need === 'arguments' ? { activate, resume } : this.#known), ...found }
    }
  }

  async #supply(
    need: SuppliedNeed,
    row: ToolRow | null,
  ): Promise<KnownFacts | { readonly refused: Refused }> {
    const { request, signal, isMade } = this.#made
    const parts = this.#parts
    // Without a tool, only the first two are needs.
    const called = row as ToolRow
    switch (need) {
      case 'activate': {
        const refused = await activateFound(request, this.#made.cause, parts)
        return refused === null ? { activate: true } : { refused }
      }
      case 'arguments': {
        this.#checks += 1
        const [hash, since] = [row?.claim.hash ?? null, row?.owner.since ?? null]
        const checked = await checkCall(row, request, this.#state(), parts)
        return { arguments: { hash, since, checked } }
      }
      case 'resume': {
        const { owner, since } = called.owner
        // From here on, a deactivation of its skill waits for it.
        this.#running?.belongsTo(owner)
        const command = { type: 'skill.resume' as const, skill: owner, since }
        const resume = () => parts.dispatcher.dispatch(command, { by: 'resume' })
        await parts.resumed.ensure(called.owner, resume)
        return { resume: since }
      }
      case 'ask-function':
        return { 'ask-function': await askFunctions(this.#made, called, this.#checked, parts) }
      case 'ask-store':
        return { 'ask-store': await askStore(called, parts, signal, isMade) }
      case 'preview': {
        const state = parts.store.getState().state
        const id = questionIn(this.#preview(row, state))
        const { preview } = allConfirmations(state).find((one) => one.id === id) ?? {}
        const make = () => makePreview(this.#made, called.tool as Tool, this.#checked, parts)
        return { preview: id === null ? {} : { preview: preview ?? (await make()) } }
      }
    }
  }

  /** Starts the call, in the state that it is decided in. A call of a child counts in the budgets above first. */
  async #start(row: ToolRow | null): Promise<Outcome> {
    const { request, call, cause, signal } = this.#made
    const { dispatcher, parent, budget } = this.#parts
    const take = () => this.#part.take(call, () => this.#preview(row, this.#state()))
    if (budget !== undefined) await unlessGivenUp(take(), signal)
    this.#running?.belongsTo(row?.owner.source === 'skill' ? row.owner.owner : null)
    const command = (state: WorkspaceState) => this.#command(row, state)
    const above = parent && (await countAbove(command, cause, row, this.#parts))
    const source = above ? (state: WorkspaceState) => ({ ...command(state), above }) : command
    return this.#part.spend(() => dispatcher.dispatch(source, cause, { callOf: request.tool }))
  }

  /** Returns true for a refusal after which the call is decided again: a thing that it depends on has changed. */
  async #isDecidedAgain({ code, facts }: Refused): Promise<boolean> {
    const { request, chain, signal } = this.#made
    const isGone = request.signal?.aborted === true
    const parts = this.#parts
    // It has not started, so no deactivation waits for it.
    this.#running?.belongsTo(null)
    switch (code) {
      case 'changed':
        this.#known = { activate: this.#known.activate, resume: this.#known.resume }
        return facts['replaced'] === true && this.#checks < CHECK_LIMIT
      case 'confirmation-required': {
        const { approve } = request
        if (approve === undefined || isGone) return false
        const ask = () => askDuringCall(approve, String(facts['confirmation']), parts, signal)
        const asking = parts.inFlight.runAsking(request, ask)
        if (!(await unlessGivenUp(asking, signal))) return false
        break
      }
      case 'call-running': {
        const other = String(facts['call'])
        // A call within it would wait for itself.
        if (chain.includes(other) || isGone) return false
        const wait = () => unlessGivenUp(awaitCall(other, parts, signal), signal)
        await this.#running?.standAside(wait)
        break
      }
      default:
        return false
    }
    // Hours may have passed.
    this.#known = {}
    this.#checks = 0
    return true
  }

  /** Runs the handler of the started call, and records its end. */
  async #run(
    { tool, owner }: StartedRow,
    seq: number,
    detach: (answer: ToolResponse) => void,
    makeNested: MakeCall,
  ): Promise<ToolResponse> {
    const { request, call, cause, chain } = this.#made
    const { store, inFlight, keepResults, context } = this.#parts
    // Aborted when its skill is deactivated, or the workspace closes.
    const { signal } = this.#running as CallInFlight
    const { inBackground, limitMs } = this.#limits(tool)
    const { given, value, leftOut = [], asked } = this.#checked
    const shown = request.caller === 'model' ? context.redactor : undefined
    void notifyListener(() =>
      request.onStart?.({ call, tool: tool.name, source: owner.source, owner: owner.owner, seq }),
    )
    if (tool.client === true) return callOpen('waiting', tool.name, call, seq)
    if (inBackground) detach(callOpen('running', tool.name, call, seq))
    const started = {
      call,
      since: seq,
      request,
      tool,
      owner,
      given,
      input: value,
      leftOut,
      edited: asked && { given: shown?.value(given) ?? given },
      cause,
      inBackground,
      limitMs,
      targetMs: latencyTarget(store.getState().state.policy, tool),
      chain: [...chain, call],
      signal: inBackground || !request.signal ? signal : AbortSignal.any([signal, request.signal]),
    }
    const outcome = await runCall(started, this.#parts, makeNested)
    const response = await endCall(started, outcome, this.#parts)
    if (request.call !== undefined && !(keepResults && keepsResult(started))) {
      const { before, requests } = store.getState().state.stepCalls
      inFlight.keepResponse(seq, Math.min(before, requests[0]?.since ?? before), response)
    }
    void notifyListener(() => request.onEnd?.(response))
    return response
  }

  get #checked(): InputCheck {
    return this.#known.arguments?.checked ?? UNCHECKED
  }

  /** Returns the row of the tool that the call means now; null for a tool that is not registered. */
  #row(): ToolRow | null {
    const found = assess(this.#state(), this.#parts.context, this.#made.request.tool)
    return found.kind === 'registered' ? found.row : null
  }

  #limits(tool: Tool | undefined) {
    const { background = tool?.background ?? false, signal } = this.#made.request
    const { limits } = this.#parts
    // A call that was aborted already would run in the background for nobody.
    const inBackground = background && signal?.aborted !== true
    const limitMs = tool?.timeoutMs ?? limits[inBackground ? 'backgroundMs' : 'timeoutMs']
    return { inBackground, limitMs }
  }

  #preview(row: ToolRow | null, state: WorkspaceState): Decision {
    return this.#parts.dispatcher.preview(this.#command(row, state), this.#made.cause, state)
  }

  /** Returns the command that starts the call. It is built from the state it is decided on: rules may be newer. */
  #command(row: ToolRow | null, state: WorkspaceState): StartCommand {
    const { request, call } = this.#made
    const { call: given, resumes, stopped } = request
    const { context, limits, questionMs, keepArguments, history } = this.#parts
    const { arguments: checked, 'ask-store': stored } = this.#known
    const answers = this.#known['ask-function'] ?? NO_ANSWERS
    const { inBackground, limitMs } = this.#limits(row?.tool)
    const mostMs = row?.tool?.renewOnProgress?.upToMs ?? limitMs
    const bridge = matchBridgeRules(request, row?.claim, state, answers.bridge)
    this.#running?.starts()
    return {
      type: 'call.start',
      call,
      ...(given !== undefined && answeredRequest(this.#checked.given, history, state)),
      ...withoutUndefined({ given, resumes, stopped }),
      tool: request.tool,
      hash: checked?.hash ?? null,
      since: checked?.since ?? null,
      input: matchPolicyRules(this.#checked, row, state, context, answers),
      ...(this.#checked.asked && { asked: this.#checked.asked }),
      ...(this.#checked.repaired && { repaired: this.#checked.repaired.repairs }),
      ...(bridge && { bridge }),
      caller: request.caller,
      ...(row?.tool?.client === true && { client: true }),
      confirmationMs: questionMs,
      ...(stored && { stored }),
      ...(this.#part.isSpent && { isSpent: true }),
      ...nestedIn(this.#made, limits.depth),
      background: inBackground,
      ...(keepArguments && {
        kept: { ...keptArguments(this.#checked.given, this.#parts), ...this.#known.preview },
      }),
      ...(mostMs !== Infinity && { limitMs: mostMs }),
    }
  }

  #failure(refused: Refused): ToolResponse {
    return refusedCall(this.#made, refused, this.#checked, this.#known.preview)
  }
}
