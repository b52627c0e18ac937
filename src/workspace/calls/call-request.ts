import type { CheckedInput } from '../../engine/model/command.ts'
import type { ConditionAnswer, KeptArguments } from '../../engine/model/consent-event.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WhereMatches } from '../../engine/model/policy.ts'
import { type Claim, isMeta } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess, calledName } from '../../engine/standing/assess.ts'
import { type CalledTool, skillForms } from '../../engine/standing/loading-effect.ts'
import { toolTable, UNREGISTERED } from '../../engine/standing/tool-table.ts'
import { allowedEntries } from '../../engine/standing/permission.ts'
import { type LevelAnswers, whereMatches } from '../../engine/standing/where-matches.ts'
import { checkOptions, type OptionTable } from '../../kernel/check-options.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { contentHash } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import { createRedactor, type Redactor } from '../../kernel/redactor.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { AiSdkCall } from '../../tools/definition/ai-sdk-tool.ts'
import type { CallClient } from '../../tools/definition/call-client.ts'
import type { Caller, OnCallOutput } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { thrownMessage, tryOrUndefined } from '../../kernel/thrown-message.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'
import { checkedNumbers } from '../commands/checked-numbers.ts'
import type { StreamLimits } from './handlers/follow-stream.ts'

/** A call whose handler makes another call. */
interface OuterCall {
  /** The ids of the calls it is within, outermost first, and its own. */
  readonly chain: readonly string[]
  /** The caller of the outermost call. */
  readonly origin: Caller
  /** True when it has its answer. */
  isOver(): boolean
}

/** A call before it is judged. */
export interface CallRequest {
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

/** Options of a call. */
export type CallOptions<Services = unknown> = Partial<
  Pick<CallRequest, 'call' | 'resumes' | 'signal' | 'onOutput' | 'background' | 'aiSdk' | 'client'>
> & {
  /** Instead of those of the turn or the workspace, also for what is called within. Never logged. */
  readonly services?: Services
  /** `host`, the host's own code, when absent. */
  readonly caller?: Exclude<CallRequest['caller'], 'tool'>
}

/** The options of a call. A call by a tool is made by its handler only. */
export const CALL_OPTIONS: OptionTable = {
  call: 'text',
  resumes: 'text',
  signal: 'signal',
  onOutput: 'function',
  background: 'switch',
  services: true,
  caller: ['model', 'user', 'host'],
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

/** Limits of every call of a session. */
export interface CallLimits {
  /** Milliseconds a handler may take, its retries included, unless its tool says otherwise. */
  readonly timeoutMs: number
  /** The same for a call in the background. */
  readonly backgroundMs: number
  /** Bytes of JSON a result may have, its parts included without their data. */
  readonly maxBytes: number
  /** Bytes of data that the parts of a result may have together, before base64. */
  readonly contentBytes: number
  /**
   * The treatment of a result over `maxBytes` or `contentBytes`, and of outputs over `stream`. By default, it is cut,
   * and a note to the model says so: the handler has done its work. With `fail`, the call fails with `BAD_OUTPUT`.
   */
  readonly oversized: 'cut' | 'fail'
  /** Bytes of JSON that the log keeps of the result of a background call, and of arguments with a question. */
  readonly keptBytes: number
  /** Limits of what a handler yields before its result; an endless generator stops there. */
  readonly stream: StreamLimits
  /** Retries of an idempotent tool's call, after a failure that may pass. */
  readonly retries: number
  /** The most calls that a call may be within, when tools call tools. */
  readonly depth: number
  /**
   * Calls of one tool with the same arguments that the model may make in a turn while nothing changes. Tools
   * with `polling` have no such limit.
   */
  readonly sameCalls: number
  /** Milliseconds that the function of a permission rule, a condition or a preview may take. */
  readonly checkMs: number
  /** Milliseconds until a pending confirmation expires. */
  readonly confirmationMs: number
  /** Milliseconds that running calls of a skill have to end before its deactivation aborts them. */
  readonly drainMs: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  backgroundMs: 600_000,
  maxBytes: 1_048_576,
  contentBytes: 20_971_520,
  oversized: 'cut',
  keptBytes: 16_384,
  stream: { outputs: 10_000, bytes: 16_777_216 },
  retries: 2,
  depth: 4,
  sameCalls: 3,
  checkMs: 10_000,
  confirmationMs: 600_000,
  drainMs: 5_000,
}

/** Settles the limits of a session: the given ones, else the defaults. Throws `LIMITS_INVALID`. */
export function settleCallLimits(
  limits?: Partial<CallLimits>,
  others: readonly string[] = [],
): CallLimits {
  if (limits === undefined) return DEFAULT_CALL_LIMITS
  const { stream: defaultStream, oversized: byDefault, ...defaults } = DEFAULT_CALL_LIMITS
  const code = 'LIMITS_INVALID'
  const positive = ['timeoutMs', 'backgroundMs', 'checkMs']
  if (!isObject(limits))
    return checkedNumbers(limits, { option: 'limits', code, defaults: DEFAULT_CALL_LIMITS })
  const { stream, oversized = byDefault, ...given } = limits
  checkOptions({ oversized }, { oversized: ['cut', 'fail'] }, 'limits.')
  const known = Object.entries(given).filter(([name]) => !others.includes(name))
  const numbers = { option: 'limits', code, defaults, others, positive }
  return {
    ...checkedNumbers(Object.fromEntries(known), numbers),
    oversized,
    stream: checkedNumbers(stream, { option: 'limits.stream', code, defaults: defaultStream }),
  }
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
  state: WorkspaceState,
  context: EngineContext,
): CallRequest {
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
  const { name, arguments: given, ...others } = input as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name === '' || Object.keys(others).length > 0) return null
  const read = () => (typeof given === 'string' ? (JSON.parse(given) as unknown) : (given ?? {}))
  const target = tryOrUndefined(read)
  return isObject(target) ? { tool: name, input: target } : null
}

/** A call's input in the form for the engine, and in the form for the handler. */
export interface InputCheck {
  readonly input: CheckedInput
  /** A copy of the given input, so that it cannot change between the check and the run. */
  readonly given: unknown
  readonly value: unknown
  /** The answer of the tool's condition. */
  readonly condition?: ConditionAnswer
  /** Places of unknown arguments that were left out. */
  readonly leftOut?: readonly string[]
}

/**
 * Checks a call's arguments. Consent is bound to a digest of the given arguments, before the schema's
 * transforms. A check that hangs ends at the time limit.
 */
export async function checkInput(
  tool: Tool | undefined,
  original: unknown,
  timeoutMs: number,
): Promise<InputCheck> {
  try {
    // Refuses what JSON cannot carry. The copy keeps the order of members: a handler may write them as they came.
    canonicalJson(original ?? null)
    const given: unknown = original === undefined ? undefined : JSON.parse(JSON.stringify(original))
    const digest = contentHash(given ?? null)
    const parsed = tool
      ? await withTimeLimit('The check', timeoutMs, () => tool.parseInput(given))
      : { ok: true as const, value: given, leftOut: undefined }
    return parsed.ok
      ? {
          input: { ok: true, digest },
          given,
          value: parsed.value,
          ...(parsed.leftOut && { leftOut: parsed.leftOut }),
        }
      : { input: { ok: false, issues: parsed.issues }, given, value: undefined }
  } catch (error) {
    const message = WorkspaceError.is(error)
      ? error.message
      : `the arguments could not be checked: ${thrownMessage(error)}`
    const input = { ok: false as const, issues: [{ path: '', message }] }
    return { input, given: undefined, value: undefined }
  }
}

/**
 * Returns the arguments to keep with a question, redacted by the rules of the session, or else by the
 * default ones. Arguments of more than `limits.keptBytes` of JSON are left out: a person must not judge a
 * part of them.
 */
export function keptArguments(
  given: unknown,
  { context, limits }: { readonly context: EngineContext; readonly limits: CallLimits },
): KeptArguments {
  const kept = redactorFor(context).value((given ?? null) as JsonValue)
  const bytes = Buffer.byteLength(JSON.stringify(kept))
  return bytes > limits.keptBytes ? { omittedBytes: bytes } : { arguments: kept }
}

/** Returns the redactor of a session, or else one with the default rules. */
export function redactorFor({ redactor }: Pick<EngineContext, 'redactor'>): Redactor {
  return redactor ?? createRedactor({})
}

/** The arguments of a call in each form that permission rules look at. */
export interface CallForms {
  /** As given, and as the handler gets them, so that a transform of a schema hides nothing. */
  readonly forms: readonly unknown[]
  /** With other names of the same skill: for rules that deny or ask. */
  readonly spellings: readonly unknown[]
}

/** Returns the forms of a call's checked arguments. */
export function callForms(
  { given, value }: InputCheck,
  row: CalledTool | null,
  state: WorkspaceState,
  context: EngineContext,
): CallForms {
  const { forms, spellings } =
    row === null ? { forms: [], spellings: [] } : skillForms(row, value, state, context)
  return { forms: [given, value, ...forms], spellings }
}

/** Adds to a call's checked arguments which rules of a policy match them, and the answer of the tool's condition. */
export function matchPolicyRules(
  checked: InputCheck,
  row: CalledTool | null,
  state: WorkspaceState,
  context: EngineContext,
  answers: LevelAnswers,
): CheckedInput {
  const { input, condition } = checked
  if (!input.ok) return input
  const { forms, spellings } = callForms(checked, row, state, context)
  const matched = whereMatches(state.policy, forms, spellings, answers)
  const allowed = row === null ? [] : allowedEntries(row, state, context, forms)
  const where = { ...matched, ...(allowed.length > 0 && { allowed }) }
  return { ...input, where, ...(condition && { condition }) }
}

/**
 * Returns the forms of the arguments of the `call_tool` that made a call: as given, as read, and with
 * each name of the called tool.
 */
export function bridgeForms(
  { tool, input, bridge }: Pick<CallRequest, 'tool' | 'input' | 'bridge'>,
  claim: Pick<Claim, 'name' | 'definedAs'> | undefined,
): CallForms {
  const names = new Set([tool, claim?.name ?? tool, claim?.definedAs ?? tool])
  const read = [...names].map((name) => ({ name, arguments: input }))
  return { forms: [bridge?.input, ...read], spellings: [] }
}

/** Returns which rules of a policy match the arguments of the `call_tool` that made a call. */
export function matchBridgeRules(
  request: Pick<CallRequest, 'tool' | 'input' | 'bridge'>,
  claim: Pick<Claim, 'name' | 'definedAs'> | undefined,
  { policy }: WorkspaceState,
  answers: LevelAnswers,
): { readonly tool: string; readonly where: WhereMatches } | undefined {
  if (request.bridge === undefined) return undefined
  const { forms, spellings } = bridgeForms(request, claim)
  return { tool: request.bridge.tool, where: whereMatches(policy, forms, spellings, answers) }
}
