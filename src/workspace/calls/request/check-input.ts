import { byteLength } from '../../../kernel/byte-length.ts'
import { questionsAbout } from '../../../engine/decide/decide-consent.ts'
import type { ToolRow } from '../../../engine/standing/tool-table.ts'
import type { CheckedInput } from '../../../engine/model/consent-event.ts'
import type { ConditionAnswer, KeptArguments } from '../../../engine/model/consent-event.ts'
import type { EngineContext } from '../../../engine/model/engine-context.ts'
import type { WhereMatches } from '../../../engine/model/policy.ts'
import type { Claim } from '../../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { type CalledTool, skillForms } from '../../../engine/standing/loading-effect.ts'
import { allowedEntries } from '../../../engine/standing/permission.ts'
import { type LevelAnswers, whereMatches } from '../../../engine/standing/where-matches.ts'
import { canonicalJson } from '../../../kernel/canonical-json.ts'
import { type ContentHash, contentHash } from '../../../kernel/content-hash.ts'
import { type JsonValue, wellFormed } from '../../../kernel/json-value.ts'
import { createRedactor, type Redactor } from '../../../kernel/redactor.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import {
  type RepairedArguments,
  repairArguments,
} from '../../../schema/interpreter/repair-arguments.ts'
import type { ValueIssue } from '../../../schema/interpreter/schema-source.ts'
import { inSentKeys, ownArguments } from '../../../schema/provider-forms/sent-keys.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { thrownMessage } from '../../../kernel/thrown-message.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'
import type { CallLimits } from './call-limits.ts'
import type { CallRequest } from './call-request.ts'

/** A call's input in the form for the engine, and in the form for the handler. */
export interface InputCheck {
  readonly input: CheckedInput
  /** A copy of the given input, so that it cannot change between the check and the run. */
  readonly given: unknown
  readonly value: unknown
  /** Places of unknown arguments that were left out. */
  readonly leftOut?: readonly string[]
  /** The repaired arguments, and the repairs in words; absent without any. */
  readonly repaired?: RepairedArguments
  /** The digest of the arguments of the call, where a person approved these instead. */
  readonly asked?: ContentHash
}

interface CheckParts {
  readonly context: EngineContext
  readonly limits: CallLimits
  /** True where arguments are repaired, unless their tool says otherwise. */
  readonly repairArguments?: boolean
}

/**
 * Checks a call's arguments, under their own keys. Consent is bound to a digest of the given arguments, before the schema's
 * transforms. A check that hangs ends at the time limit.
 * A model reads of problems under the keys that it was sent.
 */
export async function checkInput(
  tool: Tool | undefined,
  { input: original, caller }: Pick<CallRequest, 'input' | 'caller'>,
  { context: { namesFor }, limits: { timeoutMs }, repairArguments: repairs }: CheckParts,
): Promise<InputCheck> {
  try {
    // Refuses what JSON cannot carry. The copy keeps the order of members: a handler may write them as they came.
    canonicalJson(original ?? null)
    const sent: unknown =
      original === undefined ? undefined : wellFormed(JSON.parse(JSON.stringify(original)))
    const given = tool ? ownArguments(tool.inputSchema, sent) : sent
    const isKnown = caller === 'model' && namesFor === 'anthropic'
    const isSent = isKnown || JSON.stringify(given) !== JSON.stringify(sent)
    const shown = (issues: readonly ValueIssue[]) =>
      tool && isSent ? issues.map((one) => inSentKeys(one, tool.inputSchema)) : issues
    const digest = contentHash(given ?? null)
    const parse = async (value: unknown) =>
      tool
        ? withTimeLimit('The check', timeoutMs, () => tool.parseInput(value))
        : { ok: true as const, value, leftOut: undefined }
    const first = await parse(given)
    const isRepairable = !first.ok && (tool?.repairArguments ?? repairs) === true
    const repaired = tool && isRepairable ? repairArguments(tool.inputSchema, given) : null
    const second = repaired && (await parse(repaired.input))
    const parsed = second?.ok === true ? second : first
    return parsed.ok
      ? {
          input: { ok: true, digest },
          given,
          value: parsed.value,
          ...(repaired && { repaired }),
          ...(parsed.leftOut && { leftOut: parsed.leftOut }),
        }
      : { input: { ok: false, issues: shown(parsed.issues) }, given, value: undefined }
  } catch (error) {
    const message = WorkspaceError.is(error)
      ? error.message
      : `the arguments could not be checked: ${thrownMessage(error)}`
    const input = { ok: false as const, issues: [{ path: '', message }] }
    return { input, given: undefined, value: undefined }
  }
}

/** Checks the arguments of a call, or those that a person approved instead. */
export async function checkCall(
  row: ToolRow | null,
  request: Pick<CallRequest, 'input' | 'caller'>,
  state: WorkspaceState,
  parts: CheckParts,
): Promise<InputCheck> {
  const own = await checkInput(row?.tool, request, parts)
  if (row === null || !own.input.ok) return own
  const { digest: asked } = own.input
  const known = questionsAbout(row, asked, state)
  const instead = known.find(({ consent }) => consent === 'approved')?.instead
  if (instead === undefined) return own
  const { input } = instead
  return { ...(await checkInput(row.tool, { input, caller: 'user' }, parts)), asked }
}

/**
 * Returns the arguments to keep with a question, redacted by the rules of the session, or else by the
 * default ones. Arguments of more than `limits.keptBytes` of JSON are left out: a person must not judge a
 * part of them.
 */
export function keptArguments(given: unknown, { context, limits }: CheckParts): KeptArguments {
  const kept = redactorFor(context).value((given ?? null) as JsonValue)
  const bytes = byteLength(JSON.stringify(kept))
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
  { given, value, repaired }: InputCheck,
  row: CalledTool | null,
  state: WorkspaceState,
  context: EngineContext,
): CallForms {
  const { forms, spellings } =
    row === null ? { forms: [], spellings: [] } : skillForms(row, value, state, context)
  return { forms: [given, ...(repaired ? [repaired.input] : []), value, ...forms], spellings }
}

/** The answers of functions about a call. */
export interface FunctionAnswers {
  /** That of the tool's condition; absent for a tool without one. */
  readonly condition?: ConditionAnswer
  /** Those of the functions of rules about the call. */
  readonly own: LevelAnswers
  /** Those about the `call_tool` that made it. */
  readonly bridge: LevelAnswers
}

export const NO_ANSWERS: FunctionAnswers = { own: [], bridge: [] }

/** The arguments of a call that is refused before anyone reads them. */
export const UNCHECKED: InputCheck = {
  input: { ok: false, issues: [] },
  given: undefined,
  value: undefined,
}

/** Adds to a call's checked arguments which rules of a policy match them, and the answer of the tool's condition. */
export function matchPolicyRules(
  checked: InputCheck,
  row: CalledTool | null,
  state: WorkspaceState,
  context: EngineContext,
  { own, condition }: FunctionAnswers,
): CheckedInput {
  const { input } = checked
  if (!input.ok) return input
  const { forms, spellings } = callForms(checked, row, state, context)
  const matched = whereMatches(state.policy, forms, spellings, own)
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
