import type { JsonObject, Wire } from '../wire.ts'
import type { ErrorAnswer, ModelAnswer } from './answer.ts'

/** An event of a stream: `event` is sent as its name where the wire has names. */
export interface StreamEvent {
  readonly event?: string
  readonly data: JsonObject | '[DONE]'
}

/** Facts of the request that an answer repeats. */
export interface AnswerContext {
  readonly wire: Wire
  readonly body: JsonObject
  /** Counts the requests of a server from 1; ids are made of it. */
  readonly number: number
}

/** Writes answers in the form of one provider. */
export interface WireForm {
  response(answer: ModelAnswer, context: AnswerContext): JsonObject
  events(answer: ModelAnswer, context: AnswerContext): readonly StreamEvent[]
  /** The event that reports an error in mid-stream. */
  errorEvent(sent: number): StreamEvent
  error(answer: ErrorAnswer, context: AnswerContext): JsonObject
}
