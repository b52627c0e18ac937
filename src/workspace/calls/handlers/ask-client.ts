import type { FormContent } from '../../../engine/model/consent-event.ts'
import { wellFormed } from '../../../kernel/json-value.ts'
import type { Redactor } from '../../../kernel/redactor.ts'
import type {
  CallClient,
  ClientRoot,
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '../../../tools/definition/call-client.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { readOutputSchema } from '../../../schema/interpreter/read-schema.ts'
import type { ValueIssue } from '../../../schema/interpreter/schema-source.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'
import type { RecordQuestion } from './record-question.ts'

/** The questions of a handler, and their answers. */
interface Questions {
  readonly elicit: { readonly asked: Elicitation; readonly answer: ElicitationAnswer }
  readonly sample: { readonly asked: SamplingRequest; readonly answer: SamplingAnswer }
  readonly roots: { readonly asked: undefined; readonly answer: readonly ClientRoot[] }
}

/** Names of the capabilities in the protocol, which a refusal gives as `details.capability`. */
const CAPABILITIES = { elicit: 'elicitation', sample: 'sampling', roots: 'roots' } as const

/** The clients and limits of one call. */
export interface Asking {
  readonly tool: string
  /** The client of the call, then the host. The first that has the function is asked. */
  readonly clients: readonly (CallClient | undefined)[]
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number
  /** Aborted when the call has its answer. */
  readonly over: AbortSignal
  /** Records a question; absent where no call asks. */
  readonly record?: RecordQuestion
  /** Hides secrets in what is asked. */
  readonly redactor: Redactor | undefined
  /** Stops the time limit of the call; returns the function that restarts it. */
  pause(): () => void
}

/**
 * Asks the client of a call, or the host, for a handler. Rejects with a `ToolError` when neither can be asked, when
 * the answer takes too long, and when the answer to a form does not match its schema.
 */
export async function askClient<Kind extends keyof Questions>(
  kind: Kind,
  given: Questions[Kind]['asked'],
  { tool, clients, timeoutMs, over, record, redactor, pause }: Asking,
): Promise<Questions[Kind]['answer']> {
  const client = clients.find((one) => one?.[kind] !== undefined)
  if (client === undefined) throw clientCannot(kind, tool)
  const asked = wellFormed(redactor?.texts(given) ?? given)
  const restart = pause()
  try {
    const ask = (signal: AbortSignal): Promise<unknown> | undefined => {
      if (kind === 'elicit') return askPerson(asked as Elicitation, client, record, signal)
      return kind === 'sample'
        ? client.sample?.(asked as SamplingRequest, signal)
        : client.roots?.(signal)
    }
    const answer = await withTimeLimit('The question', timeoutMs, ask, over)
    if (kind === 'elicit') await checkAnswer(asked as Elicitation, answer as ElicitationAnswer)
    return answer as Questions[Kind]['answer']
  } finally {
    restart()
  }
}

/**
 * Asks a person, through the client and through the list of questions. The first answer counts; the signal of the
 * client is aborted when it came from elsewhere.
 */
async function askPerson(
  question: Elicitation,
  client: CallClient,
  record: Asking['record'],
  signal: AbortSignal,
): Promise<ElicitationAnswer | undefined> {
  if (record === undefined) return client.elicit?.(question, signal)
  const recorded = await record(question)
  const answered = new AbortController()
  const stop = () => {
    recorded.stop()
    answered.abort(new Error('The question was answered elsewhere.'))
  }
  signal.addEventListener('abort', recorded.stop, { once: true })
  try {
    const asked = client.elicit?.(question, AbortSignal.any([signal, answered.signal]))
    const answer = await Promise.race([asked ?? recorded.answer, recorded.answer])
    await recorded.settle(answer)
    return answer
  } catch (error) {
    if (!signal.aborted) await recorded.settle({ action: 'cancel' })
    throw error
  } finally {
    stop()
  }
}

function clientCannot(kind: keyof Questions, tool: string): ToolError {
  const capability = CAPABILITIES[kind]
  return new ToolError(
    ErrorType.UNAVAILABLE,
    `"${tool}" needs a client with ${capability}, and this call has none.`,
    { details: { code: 'client-cannot', capability } },
  )
}

/** Returns what is wrong with the answer to a form: nothing for an address, which has no fields. */
export async function answerIssues(
  question: Elicitation,
  content: FormContent,
): Promise<readonly ValueIssue[]> {
  if (!('schema' in question)) return []
  const parsed = await readOutputSchema(question.schema).parse(content)
  return parsed.ok ? [] : parsed.issues
}

/** An accepted form may come from any client. */
async function checkAnswer(question: Elicitation, answer: ElicitationAnswer): Promise<void> {
  if (answer.action !== 'accept') return
  const issues = await answerIssues(question, answer.content)
  const [first] = issues
  if (first === undefined) return
  throw new ToolError(
    ErrorType.VALIDATION,
    `The answer to the question does not match its form: ${first.path || 'it'} ${first.message}.`,
    { details: { code: 'answer-invalid', issues } },
  )
}
