import type {
  CallClient,
  ClientRoot,
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '../../../tools/definition/call-client.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { readOutputSchema } from '../../../tools/schema/read-schema.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'

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
  /** Stops the time limit of the call; returns the function that restarts it. */
  pause(): () => void
}

/**
 * Asks the client of a call, or the host, for a handler. Rejects with a `ToolError` when neither can be asked, when
 * the answer takes too long, and when the answer to a form does not match its schema.
 */
export async function askClient<Kind extends keyof Questions>(
  kind: Kind,
  asked: Questions[Kind]['asked'],
  { tool, clients, timeoutMs, over, pause }: Asking,
): Promise<Questions[Kind]['answer']> {
  const client = clients.find((one) => one?.[kind] !== undefined)
  if (client === undefined) throw clientCannot(kind, tool)
  const restart = pause()
  try {
    const ask = (signal: AbortSignal): Promise<unknown> | undefined => {
      if (kind === 'elicit') return client.elicit?.(asked as Elicitation, signal)
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

function clientCannot(kind: keyof Questions, tool: string): ToolError {
  const capability = CAPABILITIES[kind]
  return new ToolError(
    ErrorType.UNAVAILABLE,
    `"${tool}" needs a client with ${capability}, and this call has none.`,
    { details: { code: 'client-cannot', capability } },
  )
}

/** An accepted form may come from any client. */
async function checkAnswer(question: Elicitation, answer: ElicitationAnswer): Promise<void> {
  if (answer.action !== 'accept' || !('schema' in question)) return
  const parsed = await readOutputSchema(question.schema).parse(answer.content)
  const issues = parsed.ok ? [] : parsed.issues
  const [first] = issues
  if (first === undefined) return
  throw new ToolError(
    ErrorType.VALIDATION,
    `The answer to the question does not match its form: ${first.path || 'it'} ${first.message}.`,
    { details: { code: 'answer-invalid', issues } },
  )
}
