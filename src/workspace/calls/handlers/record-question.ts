import type { Cause } from '../../../engine/model/cause.ts'
import {
  allConfirmations,
  type ElicitedQuestion,
  type PendingConfirmation,
} from '../../../engine/model/consent-event.ts'
import { contentHash } from '../../../kernel/content-hash.ts'
import type { Elicitation, ElicitationAnswer } from '../../../tools/definition/call-client.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { Dispatcher } from '../../commands/dispatcher.ts'
import type { SessionStore } from '../../commands/session-store.ts'

/** A question of a running call that is in the log, where everyone who sees the session can answer it. */
export interface RecordedQuestion {
  /** Resolves with an answer that came through the log, and never without one. */
  readonly answer: Promise<ElicitationAnswer>
  /** Records the answer of the client, without the fields of the form. */
  settle(answer: ElicitationAnswer): Promise<void>
  /** Ends the wait for an answer. */
  stop(): void
}

/** Characters of JSON of a question. It is in the log. */
const LONGEST_QUESTION = 65_536

/** Records what the person is asked. */
export type RecordQuestion = (question: Elicitation) => Promise<RecordedQuestion>

interface Asker extends Pick<ElicitedQuestion, 'source' | 'hash'> {
  readonly call: ToolContext['call']
  readonly cause: Cause
}

interface RecorderParts {
  readonly dispatcher: Dispatcher
  readonly store: SessionStore
  readonly limits: { readonly confirmationMs: number }
}

/** Returns the function that records the questions of a running call. */
export function questionRecorder(asker: Asker, parts: RecorderParts): RecordQuestion {
  return (question) => recordQuestion(question, asker, parts)
}

async function recordQuestion(
  { message, ...form }: Elicitation,
  { call, source, hash, cause }: Asker,
  { dispatcher, store, limits }: RecorderParts,
): Promise<RecordedQuestion> {
  const { id: callId, tool, owner } = call
  const asked = 'url' in form ? { url: form.url } : { schema: form.schema }
  const elicitation = { message, ...asked }
  const { length } = JSON.stringify(elicitation)
  if (length > LONGEST_QUESTION) {
    const problem = `The question has ${length} characters, over ${LONGEST_QUESTION}.`
    throw new ToolError(ErrorType.VALIDATION, problem, { details: { code: 'question-too-long' } })
  }
  const digest = contentHash(elicitation)
  const { confirmationMs } = limits
  const about = { call: callId, tool, source, owner, hash, digest, elicitation, confirmationMs }
  const command = { type: 'confirmation.elicit' as const, ...about }
  const outcome = await dispatcher.dispatch(command, cause, { callOf: tool })
  const { seq } = outcome.orThrow()
  const current = (id: string) =>
    allConfirmations(store.getState().state).find((one) => one.id === id)
  const { id = '' } = store.getState().state.confirmations.find((one) => one.seq === seq) ?? {}
  const { promise: answer, resolve } = Promise.withResolvers<ElicitationAnswer>()
  const check = () => {
    const given = answerOf(current(id))
    if (given !== null) resolve(given)
  }
  const stop = store.subscribe(check)
  check()
  return {
    answer,
    async settle({ action }) {
      if (current(id)?.consent !== 'pending') return
      const type = action === 'accept' ? 'confirmation.approve' : 'confirmation.deny'
      await dispatcher.dispatch({ type, id }, { by: 'user' }, { callOf: tool })
    },
    stop,
  }
}

function answerOf(asked: PendingConfirmation | undefined): ElicitationAnswer | null {
  if (asked === undefined || asked.consent === 'pending') return null
  return asked.consent === 'denied'
    ? { action: 'decline' }
    : { action: 'accept', content: asked.content ?? {} }
}
