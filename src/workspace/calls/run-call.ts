import type { Cause } from '../../engine/model/cause.ts'
import { isMeta, type OpenSource } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { activeSkills, assessSkill } from '../../engine/standing/assess-skill.ts'
import { keepsFilesBack } from '../../engine/standing/refused-skills.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CallClient } from '../../tools/definition/call-client.ts'
import type { NestedCallOptions, ToolContext } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { ResponseError, ToolResponse } from '../../tools/response/tool-response.ts'
import type { DeskParts } from './desk-parts.ts'
import type { CallLimits } from './request/call-limits.ts'
import { type CallRequest, nameOfTool } from './request/call-request.ts'
import { askClient } from './handlers/ask-client.ts'
import { questionRecorder } from './handlers/record-question.ts'
import { answerHider } from './handlers/answer-hider.ts'
import { type CallTimer, type HandlerEnd, runHandler } from './handlers/run-handler.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import { notifyListener } from '../commands/outcome.ts'
import { pause } from '../commands/with-time-limit.ts'
import type { Randomness } from '../log/clock.ts'

/** A call whose start is in the log. */
export interface StartedCall {
  readonly call: string
  /** The entry of its start. */
  readonly since: number
  readonly request: CallRequest
  readonly tool: Tool
  /** The owner of the tool. */
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  /** The arguments that were given. */
  readonly given: unknown
  /** The arguments as the tool's schema parsed them. */
  readonly input: unknown
  /** Places of unknown arguments that the handler does not get. */
  readonly leftOut: readonly string[]
  /** The arguments that a person approved instead of those of the call, as its caller may read them. */
  readonly edited: { readonly given: unknown } | undefined
  readonly cause: Cause
  /** The ids of the calls it is within, outermost first, and its own. */
  readonly chain: readonly string[]
  /** Aborted when the call has to end early. */
  readonly signal: AbortSignal
  readonly inBackground: boolean
  /** For all attempts together, in milliseconds. */
  readonly limitMs: number
  /** Milliseconds that the call should take at most; null without a target. */
  readonly targetMs: number | null
}

/** The cause of a command that a handler gives for its own call. */
export function causeOfHandler({ caller, id }: ToolContext['call']): Cause {
  return caller === 'model' || caller === 'tool' ? { by: caller, call: id } : { by: caller }
}

/** The end of a call, and the number of times its handler ran. */
export type CallEnd = HandlerEnd & { readonly attempts: number }

/** Makes a call of another tool, from within a handler. */
export type MakeCall = (request: CallRequest) => Promise<ToolResponse>

/** The reason to abort a call within another one. */
class OuterCallEnded extends Error {
  override readonly name = 'OuterCallEnded'
}

/** The end of an attempt. Its signal is made for the first call or question that the attempt makes. */
class AttemptEnd {
  isOver = false
  readonly #tool: string
  #controller: AbortController | undefined

  constructor(tool: string) {
    this.#tool = tool
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isOver) this.end()
    return this.#controller.signal
  }

  end(): void {
    this.isOver = true
    this.#controller?.abort(
      new OuterCallEnded(`The call of "${this.#tool}" that made this one has ended.`),
    )
  }
}

/**
 * Runs the handler of a started call. After a failure that may pass, it runs again after a delay, if the
 * tool is safe to repeat. All attempts together stay within the time limit of the call: a delay that would
 * exceed it is not started. Never rejects.
 */
export async function runCall(
  started: StartedCall,
  parts: DeskParts,
  makeCall: MakeCall,
): Promise<CallEnd> {
  const { tool, signal, limitMs } = started
  const { clock, limits, randomness } = parts
  const retries = maxRetries(tool, limits)
  const began = clock.monotonic()
  const elapsed = () => Math.max(0, clock.monotonic() - began)
  // Progress may give an attempt more time than the limit, but never more than the most.
  const left = () => Math.max(0, (tool.renewOnProgress?.upToMs ?? limitMs) - elapsed())
  for (let attempt = 1; ; attempt += 1) {
    const ran = signal.aborted ? attempt - 1 : attempt
    const end = await runAttempt(started, attempt, Math.min(limitMs, left()), parts, makeCall)
    const ended: CallEnd = { ...end, attempts: Math.max(1, ran) }
    const total = attempt === 1 ? ended : { ...ended, durationMs: elapsed() }
    if (end.ok || !end.error.retryable || attempt > retries) return total
    const delayMs = retryDelay(end.error, attempt, randomness)
    if (delayMs >= left()) return total
    await pause(delayMs, signal)
  }
}

/** Runs the handler once. Calls made within the attempt are aborted when it is over. */
async function runAttempt(
  started: StartedCall,
  attempt: number,
  leftMs: number,
  parts: DeskParts,
  makeCall: MakeCall,
): Promise<HandlerEnd> {
  const { limits, clock, inFlight, listeners } = parts
  const { call, request, tool, input, chain, signal, limitMs } = started
  const over = new AttemptEnd(tool.name)
  const { redactor } = parts.context
  const hiding =
    redactor && request.caller === 'model' ? answerHider(redactor, started.owner) : undefined
  let timer: CallTimer = { pause: () => () => undefined, renew: () => undefined }
  try {
    return await inFlight.runWithin(chain, () =>
      runHandler({
        tool,
        input,
        context: (own) => handlerContext(started, own, over, () => timer, parts, makeCall),
        signal,
        timeoutMs: limitMs,
        leftMs,
        maxBytes: limits.maxBytes,
        contentBytes: limits.contentBytes,
        oversized: limits.oversized,
        stream: limits.stream,
        onOutput: async (given, index) => {
          const output = hiding?.output(given) ?? given
          const yielded = { call, tool: tool.name, output, index, attempt }
          await notifyListener(() => request.onOutput?.(yielded))
          await notifyListener(() => listeners.onOutput?.(yielded))
        },
        redactor,
        ...(hiding && { shown: hiding.answer }),
        onUnexpected: (error) => {
          const thrown = { call, tool: tool.name, attempt, error }
          void notifyListener(() => listeners.onHandlerError?.(thrown))
        },
        onTimer: (given) => {
          timer = given
        },
        monotonic: () => clock.monotonic(),
        onLate: () => inFlight.noteLate(),
      }),
    )
  } finally {
    over.end()
  }
}

/** The longest delay before the first retry; it doubles with each retry. Milliseconds. */
const FIRST_DELAY_MS = 200

/** The longest delay before any retry, in milliseconds. */
const MAX_DELAY_MS = 10_000

/** Returns how often a failed call may be tried again: never, when that could do something twice. */
export function maxRetries(
  { idempotent, retries }: Pick<Tool, 'idempotent' | 'retries'>,
  limits: Pick<CallLimits, 'retries'>,
): number {
  return idempotent ? (retries ?? limits.retries) : 0
}

/**
 * Returns the milliseconds until a failed call is tried again: the time the failure asks for in
 * `details.retryAfterMs`, plus a random part of a limit that doubles with each attempt (full jitter, so
 * that many callers do not retry at once).
 *
 * @param failed the number of the failed attempt, from 1
 */
export function retryDelay(
  { details }: Pick<ResponseError, 'details'>,
  failed: number,
  randomness: Randomness,
): number {
  const given = details['retryAfterMs']
  const least = typeof given === 'number' && given > 0 && Number.isFinite(given) ? given : 0
  const most = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1))
  return least + fraction(tryOrUndefined(randomness)) * most
}

/** The host's source of randomness may return anything, or throw. */
function fraction(given: unknown): number {
  return typeof given === 'number' && given >= 0 && given <= 1 ? given : 1
}

/**
 * The context of a handler.
 *
 * @param own aborted when the handler has to end
 * @param over ended when the call has its answer: a handler that still runs can change and report nothing
 * @param timer returns the time limit of the call, which stops while a person is asked
 */
function handlerContext(
  started: StartedCall,
  own: AbortSignal,
  over: AttemptEnd,
  timer: () => CallTimer,
  all: DeskParts,
  makeCall: MakeCall,
): ToolContext {
  const { session, store, context, inFlight, principal, dispatcher, ...parts } = all
  const { request, tool, owner, cause, chain } = started
  const { caller } = request
  const call = { id: started.call, tool: tool.name, owner: owner.owner, session, caller }
  const component = owner.source === 'component' ? owner.owner : null
  const update: ToolContext['update'] = async (next) => {
    if (component === null) throw noComponent(call.tool)
    if (over.isOver) throw callOver(call.tool)
    const updated = (state: WorkspaceState) => {
      const before = componentState(state, component) ?? null
      return { type: 'component.update' as const, component, state: next(before) }
    }
    const outcome = await dispatcher.dispatch(updated, cause, { callOf: call.tool })
    outcome.orThrow()
    return componentState(store.getState().state, component) ?? null
  }
  const callTool = (
    tool: string | Pick<Tool, 'name' | 'hash'>,
    input: unknown,
    { signal, onOutput, background }: NestedCallOptions = {},
  ) =>
    makeCall({
      tool: nameOfTool(tool, store.getState().state, context),
      input,
      caller: 'tool',
      within: { chain, origin: request.within?.origin ?? caller, isOver: () => over.isOver },
      signal: signal ? AbortSignal.any([over.signal, signal]) : over.signal,
      ...(onOutput && { onOutput }),
      ...(background !== undefined && { background }),
      ...(request.client && { client: request.client }),
      ...(request.approve && { approve: request.approve }),
      ...(request.aiSdk && { aiSdk: { ...request.aiSdk, context: undefined } }),
    })
  const { redactor } = context
  const clients = [request.client, parts.client]
  const timeoutMs = parts.limits.confirmationMs
  const asking = () => ({
    tool: tool.name,
    clients,
    timeoutMs,
    over: over.signal,
    pause: () => timer().pause(),
    redactor,
  })
  return {
    signal: own,
    services: inFlight.servicesOf(chain)?.services,
    principal,
    call,
    ...(request.aiSdk && { aiSdk: request.aiSdk }),
    get state() {
      return component === null ? undefined : componentState(store.getState().state, component)
    },
    // A handler that does not await the update must not crash the process when it fails.
    update(next) {
      const updated = update(next)
      updated.catch(() => undefined)
      return updated
    },
    progress({ message, fraction }) {
      if (over.isOver) return
      timer().renew()
      const update = {
        ...(message !== undefined && { message }),
        ...(fraction !== undefined && { fraction }),
      }
      const shown = redactor?.texts(update) ?? update
      const noted = { call: call.id, tool: call.tool, ...shown }
      void notifyListener(() => request.onProgress?.(noted))
      void notifyListener(() => parts.listeners.onProgress?.(noted))
      report(clients, (client) => client.progress?.(shown))
    },
    log(entry) {
      const shown = redactor?.value(entry) ?? entry
      if (!over.isOver) report(clients, (client) => client.log?.(shown))
    },
    elicit: (question) => {
      const asker = { call, source: owner.source, hash: tool.hash, cause: causeOfHandler(call) }
      return askClient('elicit', question, { ...asking(), record: questionRecorder(asker, all) })
    },
    sample: (wanted) => askClient('sample', wanted, asking()),
    roots: () => askClient('roots', undefined, asking()),
    // Only the overloads of `callTool` know which result belongs to which tool.
    callTool: callTool as ToolContext['callTool'],
    activeSkills() {
      const { state } = store.getState()
      const isActive = (name: string) => assessSkill(state, context, name).status === 'active'
      const names = activeSkills(state).filter(isActive)
      const active = names.flatMap((name) => context.catalog.skills.get(name) ?? [])
      return active.filter((skill) => !keepsFilesBack(state.policy, skill))
    },
    callableTools: () =>
      toolTable(store.getState().state, context).rows.flatMap(
        ({ name, status, owner, tool: one }) =>
          status === 'available' && name !== tool.name && one?.client !== true && !isMeta(owner)
            ? (one ?? [])
            : [],
      ),
  }
}

/** A client that fails must not fail the handler that reports to it. */
function report(
  clients: readonly (CallClient | undefined)[],
  write: (client: CallClient) => void,
): void {
  for (const client of clients) if (client) tryOrUndefined(() => write(client))
}

function componentState(state: WorkspaceState, component: string): JsonValue | undefined {
  return state.components.find(({ key }) => key === component)?.state
}

function noComponent(tool: string): WorkspaceError {
  return new WorkspaceError('NO_COMPONENT', `"${tool}" does not belong to a component.`, {
    hint: 'Only tools of a component have a state to update.',
    facts: { tool },
  })
}

function callOver(tool: string): WorkspaceError {
  return new WorkspaceError('CALL_OVER', `The call of "${tool}" has its answer already.`, {
    hint: 'Respect context.signal, and update the state before the handler returns.',
    facts: { tool },
  })
}
