import type { SessionJournal } from '../commands/session-journal.ts'
import { type HistoryMessage, requestKey } from '../offer/conversation/history-message.ts'
import { requestMade, RUN_OPTIONS, type StepRun } from '../../engine/model/step-call.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { checkOptions } from '../../kernel/check-options.ts'
import { contentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** A request by what it is known by: a run of an engine, and the conversation that it carries. */
export interface RequestMade {
  readonly history: readonly HistoryMessage[]
  readonly run?: StepRun
}

/**
 * Resumes a step that was made before: resolves with the answer that was kept, and from now on calls with its ids are
 * those of that step. Resolves with undefined, and changes nothing, when no answer to this request was kept.
 */
export async function readKeptAnswer(
  request: RequestMade,
  parts: SessionJournal,
): Promise<JsonValue | undefined> {
  checkOptions(request, { history: 'list', run: RUN_OPTIONS })
  const { store, dispatcher, definitions } = parts
  const { history, run } = request
  const key = requestKey(history, run)
  const stored = answerTo(store.getState().state, key, run)?.stored
  if (stored === undefined) return undefined
  const answer = await definitions.readResult(stored)
  if (answer === undefined) return undefined
  const command = { type: 'step.repeat', history: key, ...(run && { run }) } as const
  const repeated = await dispatcher.dispatch(command, { by: 'host' })
  repeated.orThrow()
  parts.history = key
  return answer
}

/**
 * Keeps the answer to the last request in the log, without its secrets, before its calls are made. Resolves with the
 * one to continue with: the given one, or that of another process that was first.
 */
export async function keepAnswer<Answer extends JsonValue>(
  answer: Answer,
  run: StepRun | undefined,
  parts: SessionJournal,
): Promise<Answer> {
  checkOptions({ run }, { run: RUN_OPTIONS })
  const { store, dispatcher, definitions, context } = parts
  const history = run?.step === undefined ? parts.history : requestKey([], run)
  if (history === null) {
    throw new WorkspaceError('STEP_NOT_BEGUN', 'No request is known that this answers.', {
      hint: 'Call beginStep with the "history" of the request before.',
    })
  }
  const value = hideIn(answer, context.redactor)
  const stored = contentHash(value)
  definitions.addResult(stored, value)
  const hidden = value !== answer && { hidden: true as const }
  const command = { type: 'step.answer', history, stored, ...(run && { run }), ...hidden } as const
  const kept = await dispatcher.dispatch(command, { by: 'host' })
  kept.orThrow()
  definitions.dropResult(stored)
  parts.history = history
  const first = answerTo(store.getState().state, history, run)?.stored
  if (first === undefined || first === stored) return answer
  return ((await definitions.readResult(first)) ?? answer) as Answer
}

function answerTo({ stepCalls }: WorkspaceState, history: string, run: StepRun | undefined) {
  return requestMade(stepCalls, history, run)?.answer
}

/** Hides the secrets of an answer, also those in texts of JSON: wires write the arguments of calls so. */
function hideIn<Value extends JsonValue>(value: Value, redactor: Redactor | undefined): Value {
  return redactor === undefined ? value : redactor.value(hideInTexts(value, redactor) as Value)
}

function hideInTexts(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value === 'string') {
    const read = tryOrUndefined(() => JSON.parse(value) as JsonValue)
    const hidden = redactor.value(read)
    return hidden === undefined || hidden === read ? value : JSON.stringify(hidden)
  }
  if (typeof value !== 'object' || value === null) return value
  const before = Object.entries(value) as [string, JsonValue][]
  const after = before.map(([name, member]) => [name, hideInTexts(member, redactor)] as const)
  if (after.every(([, member], at) => member === before[at]?.[1])) return value
  return Array.isArray(value) ? after.map(([, item]) => item) : Object.fromEntries(after)
}
