import type { JsonSchema, JsonValue } from '../../kernel/json-value.ts'
import type { ContentPart } from '../response/content-part.ts'

/**
 * The side that a call comes from, as handlers reach it: it asks a person, asks a model, and shows progress. A
 * client of a protocol, or the host itself. A function that is absent is one that it does not have.
 */
export interface CallClient {
  /** Asks the person. Rejects, or never settles, when the question is given up; the signal says when. */
  elicit?(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>
  /** Asks the model of the client. */
  sample?(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>
  /** Returns the folders that the client works in. */
  roots?(signal: AbortSignal): Promise<readonly ClientRoot[]>
  progress?(update: ProgressUpdate): void
  log?(entry: ClientLogEntry): void
}

/** A question to the person: a form, or a page to open. */
export type Elicitation = {
  readonly message: string
  /** The name of the question in the protocol; a number when absent. */
  readonly key?: string
} & (
  | {
      /** The fields of the form: an object of texts, numbers, booleans and choices. */
      readonly schema: JsonSchema
    }
  | {
      /** Shown to the person, and never opened by Loadout. */
      readonly url: string
    }
)

/** `cancel`: the person closed the question without an answer. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, JsonValue>> }
  | { readonly action: 'decline' | 'cancel' }

/** A request to the model of the client. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly system?: string
  readonly temperature?: number
  readonly key?: string
}

export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentPart
}

export interface SamplingAnswer {
  readonly model: string
  readonly content: ContentPart
  readonly stopReason?: string
}

/** A folder of the client, as a `file:` URI. */
export interface ClientRoot {
  readonly uri: string
  readonly name?: string
}

export interface ProgressUpdate {
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
}

/** A line for the person who follows the client's log. Never in the log of the session. */
export interface ClientLogEntry {
  readonly level: 'debug' | 'info' | 'notice' | 'warning' | 'error'
  readonly data: JsonValue
  /** The part of the program that writes it. */
  readonly logger?: string
}
