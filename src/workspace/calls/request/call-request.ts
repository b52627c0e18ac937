import type { Cause } from '../../../engine/model/cause.ts'
import type { ApprovalScope, PendingConfirmation } from '../../../engine/model/consent-event.ts'
import type { CommandOf } from '../../../engine/model/command.ts'
import type { EngineContext } from '../../../engine/model/engine-context.ts'
import { isMeta, type OpenSource } from '../../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { assess, calledName, stateFor } from '../../../engine/standing/assess.ts'
import { toolTable, UNREGISTERED } from '../../../engine/standing/tool-table.ts'
import type { OptionTable } from '../../../kernel/check-options.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import type { AiSdkCall } from '../../../tools/definition/ai-sdk-tool.ts'
import type { CallClient } from '../../../tools/definition/call-client.ts'
import type { Caller, OnCallOutput } from '../../../tools/definition/tool-context.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { ToolResponse } from '../../../tools/response/tool-response.ts'
import { tryOrUndefined } from '../../../kernel/thrown-message.ts'

/** A call whose handler makes another call. */
interface OuterCall {
  /** The ids of the calls it is within, outermost first, and its own. */
  readonly chain: readonly string[]
  /** The caller of the outermost call. */
  readonly origin: Caller
  /** True when it has its answer. */
  isOver(): boolean
}

/** The listeners of one call. One that throws or rejects leads to a warning of the process, and changes no call. */
export interface CallWatch {
  /**
   * Asks a person about this call, or one within it, that has to be approved. The question and the answer are recorded, and
   * the call is decided with the answer: `true` approves this call, a scope approves more, `false` denies it, and `undefined` leaves
   * the question open, so that the call is refused for now. An object has the words of a denial, or other arguments. The signal is aborted when somebody else answers.
   */
  approve?(
    question: PendingConfirmation,
    options: { readonly signal: AbortSignal },
  ): PersonalAnswer | Promise<PersonalAnswer>
  /** Notified when the call has started, before its handler runs. */
  onStart?(started: CallStarted): void
  /** Notified of the progress that its handler reports. */
  onProgress?(progress: CallProgress): void
  /** Notified when a call that started has ended, also one in the background. */
  onEnd?(response: ToolResponse): void
}

/** An answer about one call. */
export interface CallAnswer {
  readonly approved: boolean
  /** The words of the person, for the model, when the call is not approved. */
  readonly reason?: string
  /** Other arguments, with which the call runs once. */
  readonly input?: JsonValue
  readonly remember?: ApprovalScope
}

type PersonalAnswer = boolean | ApprovalScope | CallAnswer | undefined

/** A call that has started. */
export interface CallStarted extends Pick<OpenSource, 'source' | 'owner'> {
  readonly call: string
  readonly tool: string
  /** Its entry. */
  readonly seq: number
}

/** A call before it is judged. */
export interface CallRequest extends CallWatch {
  /** A name, or `owner/name`. */
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  /**
   * The id from the model's provider; a new one when absent. A call with the id, the tool and the arguments of an
   * earlier call of the same step is the same call: it gets the recorded result, and nothing runs.
   */
  readonly call?: string
  /**
   * The id of a call in the host's history that has no result there. If it was made, in this step or the one
   * before, this is the same call.
   */
  readonly resumes?: string
  /**
   * The reason why the call is not made, as a sentence, such as an answer that the provider stopped. The call is
   * refused, with an entry.
   */
  readonly stopped?: string
  /** Aborted when the caller no longer wants the result; without effect once a call is in the background. */
  readonly signal?: AbortSignal
  /** Gets the values that a streaming handler yields before its result. */
  readonly onOutput?: OnCallOutput
  /** True: answer at once, while the handler runs on. The tool decides when absent. */
  readonly background?: boolean
  /**
   * The host's objects for the handler, and for the calls and hooks within it, instead of those of the turn or the
   * workspace. Never logged.
   */
  readonly services?: unknown
  /** The side that the call comes from, for the handler and the calls within; that of the host when absent. */
  readonly client?: CallClient
  /** Present when a tool's handler makes the call. */
  readonly within?: OuterCall
  /** The conversation and the options of the AI SDK, for a call that it makes. */
  readonly aiSdk?: AiSdkCall
  /** The call of `call_tool` that named this tool. */
  readonly bridge?: { readonly tool: string; readonly input: unknown }
}

/** A requested call, under its id in the session. */
export interface RequestedCall {
  readonly request: CallRequest
  readonly call: string
  readonly cause: Cause
  /** The ids of the calls that it is within, outermost first. */
  readonly chain: readonly string[]
  /** Aborted when the call is not wanted any more. */
  readonly signal: AbortSignal
  /** False for a call that is only decided about: nothing of it is recorded, and no hook runs. */
  readonly isMade: boolean
}

/** Returns the call that a call by a tool's handler is nested in. */
export function nestedIn(
  { request, chain }: Pick<RequestedCall, 'request' | 'chain'>,
  mostDepth: number,
): Pick<CommandOf<'call.start'>, 'within'> {
  const call = chain.at(-1)
  if (call === undefined) return {}
  const { origin = request.caller, isOver } = request.within ?? {}
  const within = { call, isOver: isOver?.() ?? false, origin, depth: chain.length, mostDepth }
  return { within }
}

/** Options of a call. */
export type CallOptions<Services = unknown> = Partial<
  Pick<
    CallRequest,
    'call' | 'resumes' | 'stopped' | 'signal' | 'onOutput' | 'background' | 'aiSdk' | 'client'
  >
> &
  CallWatch & {
    /** Instead of those of the turn or the workspace, also for what is called within. Never logged. */
    readonly services?: Services
    /** `host`, the host's own code, when absent. */
    readonly caller?: Exclude<CallRequest['caller'], 'tool'>
  }

export const CALLER_OPTIONS: OptionTable = { caller: ['model', 'user', 'host'] }

/** The options of a call. A call by a tool is made by its handler only. */
export const CALL_OPTIONS: OptionTable = {
  call: 'text',
  resumes: 'text',
  stopped: 'text',
  signal: 'signal',
  onOutput: 'function',
  approve: 'function',
  onStart: 'function',
  onProgress: 'function',
  onEnd: 'function',
  background: 'switch',
  services: true,
  ...CALLER_OPTIONS,
  aiSdk: true,
  client: true,
}

/** Progress that a running handler reports; never logged. */
export interface CallProgress {
  readonly call: string
  readonly tool: string
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
}

/** An exception of a handler. The model reads only the first line of its message. */
export interface HandlerError {
  readonly call: string
  readonly tool: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly error: unknown
}

/** Returns the name to call: the given one, or the name of a tool value in this session. */
export function nameOfTool(
  given: string | Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  context: EngineContext,
): string {
  if (typeof given === 'string') return given
  return isToolValue(given) ? nameOfToolValue(given, state, context) : `(${typeof given})`
}

/** Plain JavaScript may pass on whatever a model answered. */
function isToolValue(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'
  )
}

/**
 * Returns the name of a tool value in a session: it may be registered under another name, to avoid a
 * conflict. A value that is not registered is never taken for another tool, registered or found, with its
 * name.
 */
function nameOfToolValue(
  { name, hash }: Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  context: EngineContext,
): string {
  const { rows, byName } = toolTable(state, context)
  const registered = rows.find(({ claim }) => claim.hash === hash)
  const isOthers =
    byName.has(name) || state.found.some((one) => one.name === name && one.hash !== hash)
  if (registered || !isOthers) return registered?.name ?? name
  const { skillTools, bringers } = context.catalog
  const bringer = bringers
    .get(name)
    ?.find((skill) => skillTools.get(skill)?.some(({ tool }) => tool.hash === hash))
  return `${bringer ?? UNREGISTERED}/${name}`
}

/**
 * Returns a call of the tool that a call means, under its name in the session: a model calls a tool by the
 * name that its provider got, or names it to `call_tool`.
 */
export function meantCall(
  request: CallRequest,
  given: WorkspaceState,
  context: EngineContext,
): CallRequest {
  const state = stateFor(request.caller, given)
  const meant = bridgedCall(request, state, context)
  const tool = calledName(meant.tool, meant.caller, state, context)
  return tool === meant.tool ? meant : { ...meant, tool }
}

/**
 * Turns a call of `call_tool` into a call of the tool it names, with those arguments and the same id. So
 * there is one call, one entry and one envelope, and the policy, budgets and confirmations of that tool
 * apply, together with the rules about `call_tool`.
 *
 * Returns the request unchanged when `call_tool` itself has to answer: it is not offered, names itself, or
 * its arguments do not match its schema.
 */
function bridgedCall(
  request: CallRequest,
  state: WorkspaceState,
  context: EngineContext,
): CallRequest {
  if (!isBridge(request.tool, state, context)) return request
  const target = bridgedTarget(request.input)
  if (target === null || isBridge(target.tool, state, context)) return request
  const { tool, input } = request
  return { ...request, ...target, bridge: { tool, input } }
}

function isBridge(address: string, state: WorkspaceState, context: EngineContext): boolean {
  if (!address.endsWith('call_tool')) return false
  const assessment = assess(state, context, address)
  return (
    assessment.kind === 'registered' &&
    assessment.status === 'available' &&
    isMeta(assessment.row.owner) &&
    assessment.row.claim.name === 'call_tool'
  )
}

/** The tool that a call of `call_tool` names, and the arguments for it. */
interface BridgedTarget {
  readonly tool: string
  readonly input: object
}

/**
 * Reads the arguments of `call_tool`; null when they do not match its schema. Models also send the
 * arguments as JSON text, or null for none: both are accepted.
 */
export function bridgedTarget(input: unknown): BridgedTarget | null {
  if (typeof input !== 'object' || input === null) return null
  // A property of it may throw.
  const target = tryOrUndefined(() => {
    const { name, arguments: given, ...others } = input as Readonly<Record<string, unknown>>
    const read: unknown = typeof given === 'string' ? JSON.parse(given) : (given ?? {})
    if (typeof name !== 'string' || name === '' || Object.keys(others).length > 0) return null
    return isObject(read) ? { tool: name, input: read } : null
  })
  return target ?? null
}
