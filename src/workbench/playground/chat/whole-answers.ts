import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { WorkspaceError } from '../../../entries/index.ts'
import type { StreamedAnswer } from './chat-store.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

type Part = LanguageModelV4StreamPart

/** The reader of complete answers. */
export interface AnswerKeeper {
  /** The stored answer to this request, which a process that died did not finish; null without one. */
  stored(): StreamedAnswer | null
  /** Stores an answer before its calls run. */
  keep(answer: StreamedAnswer): void
  /** The budget of all answers to one message. */
  readonly turn: Budget
  /** Called when a request is made, with its prompt already counted. */
  onRequest(): void
}

/** Returns the error of an answer that is over a budget. */
export function modelFloods(over: string): WorkspaceError {
  return new WorkspaceError('MODEL_FLOODS', `The model sent ${over}.`, {
    hint: 'The answer is not kept, and none of its calls ran. Ask for less at once, or use another model. docs/trust.md has all budgets.',
  })
}

/** The answer ended without its end, so none of its calls ran. */
export class AnswerCutError extends Error {
  override readonly name = 'AnswerCutError'
  /** `end`: the connection ended in the answer. Otherwise the reason that the server gave. */
  readonly reason: 'end' | 'length' | 'content-filter' | 'error'
  /** Calls that did not run. */
  readonly calls: readonly string[]

  constructor(reason: AnswerCutError['reason'], calls: readonly string[]) {
    super(`The answer was cut (${reason}).`)
    this.reason = reason
    this.calls = calls
  }
}

/**
 * Lets the calls of an answer pass only after its end: text streams, calls wait. The SDK runs a call when it is
 * streamed, so without this the first call of a broken answer would run.
 */
export function wholeAnswers(keeper: AnswerKeeper): LanguageModelV4Middleware {
  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream }) {
      keeper.onRequest()
      const stored = keeper.stored()
      if (stored !== null) return { stream: ReadableStream.from(stored) }
      const { stream, ...rest } = await doStream()
      return {
        ...rest,
        stream: stream.pipeThrough(withinBudget(keeper.turn)).pipeThrough(holdCalls(keeper)),
      }
    },
  }
}

function holdCalls(keeper: AnswerKeeper): TransformStream<Part, Part> {
  const answer: Part[] = []
  const calls: Extract<Part, { type: 'tool-call' }>[] = []
  let isOver = false
  const cut = (reason: AnswerCutError['reason']): Part => ({
    type: 'error',
    error: new AnswerCutError(
      reason,
      calls.map(({ toolName }) => toolName),
    ),
  })
  return new TransformStream({
    transform(part, controller) {
      if (isOver) return
      switch (part.type) {
        case 'tool-call':
          calls.push(part)
          return
        case 'tool-input-start':
        case 'tool-input-delta':
        case 'tool-input-end':
          return
        case 'error':
          isOver = true
          controller.enqueue(part)
          return
        case 'finish': {
          isOver = true
          const { unified } = part.finishReason
          const isCut = unified === 'length' || unified === 'content-filter'
          if (unified === 'error' || (calls.length > 0 && isCut)) {
            controller.enqueue(cut(unified))
          } else {
            keeper.keep([...answer, ...calls, part])
            for (const call of calls) controller.enqueue(call)
          }
          controller.enqueue(part)
          return
        }
        case 'text-delta':
        case 'reasoning-delta': {
          // The deltas of one text are stored as one.
          const last = answer.at(-1)
          if (last?.type !== part.type || last.id !== part.id) answer.push(part)
          else answer[answer.length - 1] = { ...last, delta: last.delta + part.delta }
          controller.enqueue(part)
          return
        }
        default:
          // A stored answer has no times of its server.
          if (part.type !== 'response-metadata' && part.type !== 'raw') answer.push(part)
          controller.enqueue(part)
      }
    },
    flush(controller) {
      if (!isOver) controller.enqueue(cut('end'))
    },
  })
}

/** Ends an answer that is over its budget with an error. The server is not read any further. */
function withinBudget(turn: Budget): TransformStream<Part, Part> {
  const answer = new Budget('answer')
  const calls = new Budget('answerCalls')
  const streamed = new Set<string>()
  const taken = ({ length }: string) => answer.take(length) ?? turn.take(length)
  const count = (part: Part) => {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return taken(part.delta)
      case 'tool-input-delta':
        streamed.add(part.id)
        return taken(part.delta)
      case 'tool-call':
        return calls.take() ?? (streamed.has(part.toolCallId) ? null : taken(part.input))
      default:
        return null
    }
  }
  return new TransformStream({
    transform(part, controller) {
      const over = count(part)
      if (over === null) return controller.enqueue(part)
      controller.enqueue({ type: 'error', error: modelFloods(over) })
      controller.terminate()
    },
  })
}
