import type { KeptArguments } from '../../engine/model/consent-event.ts'
import type { Refusal } from '../../engine/model/command.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { RunningCall } from '../../tools/definition/tool-context.ts'
import { fateSentence } from '../../tools/response/call-fate.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import {
  RESPONSE_VERSION,
  type ResponseError,
  responseError,
  type ToolFailure,
  type ToolSuccess,
} from '../../tools/response/tool-response.ts'
import type { HandlerEnd } from './handlers/run-handler.ts'
import type { GivenUp } from './calls-in-flight.ts'
import type { RequestedCall } from './request/call-request.ts'
import type { InputCheck } from './request/check-input.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { shorten, thrownMessage } from '../../kernel/thrown-message.ts'

/** A failed call in its envelope; without `seq` when the log has no entry of the failure. */
interface FailedCall {
  readonly tool: string
  readonly call: string
  readonly seq?: number
  readonly durationMs?: number
}

/** Builds the envelope of a call that failed outside its handler. */
export function callFailure(
  { tool, call, seq, durationMs = 0 }: FailedCall,
  error: ResponseError,
): ToolFailure {
  const at = seq === undefined ? {} : { seq }
  return { ok: false, error, meta: { version: RESPONSE_VERSION, tool, call, durationMs, ...at } }
}

/** Builds the envelope of a call that continues in the background, or waits for the client. */
export function callOpen(
  status: RunningCall['status'],
  tool: string,
  call: string,
  seq: number,
): ToolSuccess<RunningCall> {
  const meta = { version: RESPONSE_VERSION, tool, call, durationMs: 0, seq } as const
  return { ok: true, data: { status, call }, intents: [], meta }
}

/** The error of a call that did not run: the log could not take its start, or the session is over. */
export function startNotRecorded(problem: unknown): ResponseError {
  const known = WorkspaceError.is(problem) ? problem : null
  const over = known?.code === 'WORKSPACE_CLOSED' || known?.code === 'READ_ONLY'
  const reason = known ? known.message : thrownMessage(problem)
  const error = responseError(
    over ? ErrorType.SESSION_INACTIVE : ErrorType.INTERNAL,
    over || known?.code === 'BUDGET_UNREADABLE'
      ? reason
      : `The session could not record the call, so it was not made: ${reason}`,
    { code: known?.code ?? 'start-not-recorded', ...(known && { hint: known.hint }) },
  )
  const retryable = known !== null && TRANSIENT_CODES.has(known.code)
  return { ...error, retryable, partialSideEffects: false }
}

/** Codes of a log that may take the same append a moment later. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'LOG_CONFLICT',
  'LOG_LOCKED',
  'LOG_UNREACHABLE',
  'BUDGET_UNREADABLE',
])

/** The handler ran, and the log could not take how it ended. */
export function endNotRecorded(tool: string, { ok }: HandlerEnd, problem: unknown): ResponseError {
  const why = thrownMessage(problem)
  const ran = ok ? 'ran' : 'ran and failed'
  return responseError(
    ErrorType.INTERNAL,
    `"${tool}" ${ran}, but the session could not record its end: ${why}`,
    { code: 'end-not-recorded', handlerSucceeded: ok },
  )
}

/**
 * Turns the refusal of a call into the error of its envelope, with the refusal's code in `details.code`.
 *
 * @param isForModel the advice is what a model can do; the details have the hint for the host
 * @param shown what a person who is asked sees: in the details of a question, which no model reads
 */
function refusalError(
  { code, message, hint, forModel = hint, facts }: Refusal,
  isForModel: boolean,
  shown: Pick<KeptArguments, 'preview'> = {},
): ResponseError {
  const advice = isForModel ? forModel : hint
  const text = advice === '' ? message : `${message} ${advice}`
  const error = responseError(refusedType(code), shorten(sanitiseLine(text)), {
    code,
    hint: shorten(sanitiseLine(hint)),
    ...shortened(facts),
    ...(code === 'confirmation-required' && shown),
  })
  return code === 'answer-stopped' ? { ...error, partialSideEffects: false } : error
}

/** Builds the envelope of a call that was refused. A model reads advice for models. */
export function refusedCall(
  { request, call }: Pick<RequestedCall, 'request' | 'call'>,
  refused: Refusal & { readonly seq: number },
  { given, asked }: Pick<InputCheck, 'given' | 'asked'>,
  shown?: Pick<KeptArguments, 'preview'>,
): ToolFailure {
  const isForModel = (request.within?.origin ?? request.caller) === 'model'
  const error = editedError(refusalError(refused, isForModel, shown), asked && { given })
  return callFailure({ tool: request.tool, call, seq: refused.seq }, error)
}

/** Adds to an error which arguments a person approved instead of those of the call, where one did. */
export function editedError(
  error: ResponseError,
  edited: { readonly given: unknown } | undefined,
): ResponseError {
  if (edited === undefined) return error
  const sentence = fateSentence({ kind: 'edited', input: edited.given })
  return { ...error, message: `${sentence} ${error.message}` }
}

/** Facts may quote a model, such as the name of an argument, so long texts are cut. */
function shortened<T>(facts: T): T {
  const short = (fact: unknown): unknown => {
    if (typeof fact === 'string') return shorten(fact)
    if (Array.isArray(fact)) return fact.map(short)
    if (typeof fact !== 'object' || fact === null) return fact
    return Object.fromEntries(Object.entries(fact).map(([name, one]) => [name, short(one)]))
  }
  return short(facts) as T
}

/** The refusals that the table does not list are of known tools that cannot be called now. */
export function refusedType(code: string): ErrorType {
  return ERROR_TYPES.get(code) ?? ErrorType.UNAVAILABLE
}

const ERROR_TYPES: ReadonlyMap<string, ErrorType> = new Map([
  ['unknown', ErrorType.NOT_FOUND],
  ['input-invalid', ErrorType.VALIDATION],
  ['denied', ErrorType.DENIED],
  ['confirmation-denied', ErrorType.DENIED],
  ['confirmation-required', ErrorType.CONFIRMATION_REQUIRED],
  ['blocked-by-mode', ErrorType.MODE_RESTRICTED],
  ['budget-spent', ErrorType.BUDGET_EXCEEDED],
  ['principal-spent', ErrorType.BUDGET_EXCEEDED],
  ['too-deep', ErrorType.BUDGET_EXCEEDED],
  ['call-repeated', ErrorType.BUDGET_EXCEEDED],
  ['results-empty', ErrorType.BUDGET_EXCEEDED],
  ['unbound', ErrorType.UNBOUND],
  ['call-id-taken', ErrorType.CONFLICT],
  ['call-running', ErrorType.CONFLICT],
  ['call-outcome-unknown', ErrorType.ABORTED],
  ['answer-stopped', ErrorType.ABORTED],
])

/** Returns the error of a call that was given up before it started. */
export function givenUpError({ message }: GivenUp): ResponseError {
  const text = `The call was aborted before it started: ${message}`
  return { ...responseError(ErrorType.ABORTED, text), partialSideEffects: false }
}
