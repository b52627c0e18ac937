import type {
  AnsweredCall,
  AnsweredCalls,
  AnswerOptions,
  ClientCall,
  WaitingCall,
} from '../calls/call-answers.ts'
import type { NamedCall } from './model-conversation.ts'

/** The next thing to do after an answer of a model. */
export type AnswerStatus =
  /** Make the next request. */
  | 'continue'
  /** The model is done. */
  | 'done'
  /**
   * A person is asked about calls: approve or deny them, then resume. Or the client has to answer calls: append
   * their results to the history, then go on.
   */
  | 'waiting'
  /** The provider cut the answer, such as at a limit of tokens. No call that was cut ran. */
  | 'cut'
  /** There is no complete answer: nothing ran, and there is nothing to append. */
  | 'failed'

/** An answer of a model in the form in which it is sent back, before its calls run. */
export interface ReadAnswer<Item> {
  readonly status: AnswerStatus
  readonly items: readonly Item[]
  readonly calls: readonly NamedCall[]
}

/** An answer of a model, after its calls. */
export interface Answered<Item> {
  readonly status: AnswerStatus
  /** To append to the host's history: the answer, and the results of its calls. */
  readonly items: readonly Item[]
  readonly calls: readonly AnsweredCall[]
  readonly waiting: readonly WaitingCall[]
  readonly client: readonly ClientCall[]
}

/** Builds the result of an answer. A call that waits comes before every other reason to stop. */
export function answeredItems<Item>(
  status: AnswerStatus,
  items: readonly Item[],
  { answered: calls, waiting, client }: AnsweredCalls,
): Answered<Item> {
  const waits = waiting.length > 0 || client.length > 0
  return { status: waits ? 'waiting' : status, items, calls, waiting, client }
}

/** The adapter of one wire. */
export interface Wire<Item, Request, Response> {
  next(history: readonly Item[]): Promise<Request>
  answer(response: Response, options: AnswerOptions): Promise<Answered<Item>>
  resume(history: readonly Item[], options: AnswerOptions): Promise<Answered<Item>>
  /** Returns true when the step has to be made again, without what the provider refused. */
  refused?(error: unknown): boolean
}

/** Returns true for the error of an official client with the status 400: the provider refused the request. */
export function isBadRequest(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && error.status === 400
}

/** Limits of a run. */
export interface RunOptions {
  /** Aborts the request and the calls. */
  readonly signal?: AbortSignal
  /** Requests at most; 20 by default. */
  readonly maxSteps?: number
}

/** The end of a run. */
export interface ConversationRun<Response> {
  /** `continue` after the last of `maxSteps` requests. */
  readonly status: AnswerStatus
  /** The last answer; null when no request was made. */
  readonly response: Response | null
  /** The calls that a person is asked about. */
  readonly waiting: readonly WaitingCall[]
  /** The calls that the client has to answer. */
  readonly client: readonly ClientCall[]
}

/**
 * Requests and answers until the model is done, a person is asked, or an answer is not complete. Begins with the
 * calls that a person was asked about.
 *
 * @param history everything is appended to it as it happens, so that it is complete after an error, too
 * @param send makes a request; it rejects with the error of the provider
 */
export async function runConversation<Item, Request, Response>(
  wire: Wire<Item, Request, Response>,
  history: Item[],
  send: (request: Request) => Promise<Response>,
  { signal, maxSteps = 20 }: RunOptions,
): Promise<ConversationRun<Response>> {
  const options = signal ? { signal } : {}
  const resumed = await wire.resume(history, options)
  history.push(...resumed.items)
  if (resumed.status === 'waiting') {
    return { status: 'waiting', response: null, waiting: resumed.waiting, client: resumed.client }
  }
  let response: Response | null = null
  for (let step = 0; step < maxSteps; step += 1) {
    signal?.throwIfAborted()
    const request = await wire.next(history)
    try {
      response = await send(request)
    } catch (error) {
      if (wire.refused?.(error) === true) continue
      throw error
    }
    const { status, items, waiting, client } = await wire.answer(response, options)
    history.push(...items)
    if (status !== 'continue') return { status, response, waiting, client }
  }
  return { status: 'continue', response, waiting: [], client: [] }
}
