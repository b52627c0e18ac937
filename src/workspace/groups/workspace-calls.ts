import type { DeskParts } from '../calls/desk-parts.ts'
import { checkedIntentCommand, type IntentCommand } from '../../engine/model/command.ts'
import type { StepRun } from '../../engine/model/step-call.ts'
import { sentName } from '../../engine/standing/assess.ts'
import { checkOptions, checkedText } from '../../kernel/check-options.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import type { CallDesk } from '../calls/call-desk.ts'
import { awaitCall, type CallReport, readCall } from '../calls/call-report.ts'
import type { CallWrapper } from '../calls/request/call-wrapper.ts'
import type { Outcome } from '../commands/outcome.ts'
import { keepAnswer, readKeptAnswer, type RequestMade } from '../conversation/kept-answer.ts'

/** The calls of a session: their reports, what is run around them, and what they ask of the host. */
export interface WorkspaceCalls {
  /** Returns the log's report of a call; null for a call the session never made. */
  report(id: string): Promise<CallReport | null>
  /**
   * Waits until a call has ended, in whichever process it runs. The report has the result of a background
   * call; it is null for a call the session never made. Rejects with the signal's reason, and with
   * `WORKSPACE_CLOSED`.
   */
  waitFor(id: string, options?: { readonly signal?: AbortSignal }): Promise<CallReport | null>
  /**
   * Runs code around every call that is made from now on, for example inside a span of a trace. `wrapper` sees
   * the request and the answer, refusals included, and calls `run`. Returns the function that stops it.
   */
  wrap(wrapper: CallWrapper): () => void
  /** Takes an intent, or records its result, as a `StateController` does. */
  recordIntent(command: IntentCommand): Promise<Outcome>
  /**
   * Takes up a step that was made before in this turn, such as in a process that died: resolves with the answer of the model
   * that was kept, whose calls get their recorded results, or run if they did not. Then send nothing. Resolves with
   * undefined when none was kept: begin a step, and ask the model. Rejects with the errors of the log.
   */
  keptAnswer(request: RequestMade): Promise<JsonValue | undefined>
  /**
   * Keeps the answer of the model to the last request in the log, before its calls are made: a model that is asked again
   * gives other ids to its calls, and they would be made twice. Resolves with the answer to go on with: the given one, or
   * that of another process that was first. Secrets are hidden in what is kept.
   *
   * @param answer plain JSON
   * @param run the `run` of the request
   *
   * Rejects with `STEP_NOT_BEGUN` when the last request had no `history`, and with the errors of the log.
   */
  keepAnswer<Answer extends JsonValue>(answer: Answer, run?: StepRun): Promise<Answer>
  /**
   * Returns the name under which the provider gets a tool: its own, or another one if the provider does not
   * accept that. A call by either name is a call of the tool.
   *
   * @param unnamed the provider to assume if the host named none; any name is accepted when absent
   */
  sentName(tool: string, unnamed?: Provider): string
}

export function createCalls(parts: DeskParts, desk: CallDesk): WorkspaceCalls {
  return {
    report: (id) => readCall(id, parts),
    waitFor: async (id, options = {}) => {
      checkOptions(options, { signal: 'signal' })
      return awaitCall(id, parts, options.signal)
    },
    wrap: (wrapper) => desk.wrap(wrapper),
    recordIntent: async (command) =>
      parts.dispatcher.dispatch(checkedIntentCommand(command), { by: 'host' }),
    keptAnswer: (request) => readKeptAnswer(request, parts),
    keepAnswer: (answer, run) => keepAnswer(answer, run, parts),
    sentName: (tool, unnamed) =>
      sentName(checkedText(tool, 'tool'), parts.context.namesFor ?? unnamed),
  }
}
