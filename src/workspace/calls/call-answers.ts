import {
  allConfirmations,
  type AskedQuestion,
  type PendingConfirmation,
} from '../../engine/model/consent-event.ts'
import { fateSentence } from '../../tools/response/call-fate.ts'
import type { ToolFailure, ToolResponse } from '../../tools/response/tool-response.ts'
import type { CallOptions } from './request/call-request.ts'
import { type CalledTools, callTarget, findConfirmation } from './find-confirmation.ts'

/** A call in a model's answer, before anything of it is checked. */
export interface ModelCall {
  /** The provider's id of the call, unique in the conversation. */
  readonly id: string
  /** The name that the model wrote; of an answered call, the tool's name in the session where a tool has it. */
  readonly tool: string
  /** The arguments: an object, or their text as it came. */
  readonly input: unknown
  /** The reason why the call is not made, as a sentence: its answer was stopped before the end. */
  readonly stopped?: string
  /** True in a history with a later message of the user: nobody waits for its answer any more. */
  readonly isPassedOver?: boolean
  /** The provider's program that makes the call, in the form of the wire. Its result goes back with it. */
  readonly program?: object
}

/** A call that runs only after a person has approved it, with the rule that asks and what the call would do. */
export interface WaitingCall extends Pick<AskedQuestion, 'asks' | 'condition' | 'preview'> {
  /** The id of the confirmation, for `workspace.approve` and `workspace.deny`. */
  readonly confirmation: string
  /** The provider's id of the call. */
  readonly call: string
  readonly tool: string
  readonly input: unknown
  /** Wall clock, milliseconds since 1970. */
  readonly expiresAt: number
}

/** A call that the client answers: append its result to the history. */
export type ClientCall = Pick<ModelCall, 'tool' | 'input'> & {
  /** The provider's id of the call. */
  readonly call: string
}

/** A call with its result. */
export interface AnsweredCall {
  readonly call: ModelCall
  readonly response: ToolResponse
}

/** The results of the calls of one answer, in their order. */
export interface AnsweredCalls {
  readonly answered: readonly AnsweredCall[]
  /** Calls that a person has to approve. */
  readonly waiting: readonly WaitingCall[]
  /** Calls that the client has to answer. */
  readonly client: readonly ClientCall[]
}

/** Options of answering calls, each as in `callTool`. */
export type AnswerOptions = Pick<
  CallOptions,
  'signal' | 'services' | 'approve' | 'onStart' | 'onProgress' | 'onEnd'
>

/** The members of a workspace that calls go through. */
export interface AnswerGate extends CalledTools {
  callTool(tool: string, input: unknown, options: CallOptions): Promise<ToolResponse>
  readonly approvals: { asksAbout(tool: string, input: unknown): Promise<boolean> }
}

/**
 * Runs the calls of a model's answers through the gate, for all wires.
 *
 * Keeps the results of one step in memory, so that an answer that is handled twice, also at the same time,
 * runs nothing twice.
 */
export class CallAnswers {
  readonly #gate: AnswerGate
  readonly #results = new Map<string, Promise<ToolResponse>>()

  constructor(gate: AnswerGate) {
    this.#gate = gate
  }

  /** Begins a step: forgets the results of the one before. */
  begin(): void {
    this.#results.clear()
  }

  /**
   * Runs the calls of one answer, in parallel. A call that waits for a person does not keep back the others.
   * Call it again with the same calls after the person's answer, or `resume` it from the history.
   */
  answer(calls: readonly ModelCall[], options: AnswerOptions = {}): Promise<AnsweredCalls> {
    return this.#answer(calls, options, false)
  }

  async #answer(
    calls: readonly ModelCall[],
    options: AnswerOptions,
    resumes: boolean,
  ): Promise<AnsweredCalls> {
    const run = (call: ModelCall) => this.#run(call, resumes, options)
    const all = await Promise.all(
      calls.map(async (call) => ({ call, response: await this.#once(call, run) })),
    )
    const waiting = all.map(({ call, response }) => this.#waitingCall(call, response))
    const client = all.map(({ call }) => this.#clientCall(call))
    return {
      answered: all.filter((_, index) => waiting[index] === null && client[index] === null),
      waiting: waiting.filter((one) => one !== null),
      client: client.filter((one) => one !== null),
    }
  }

  /**
   * Runs those calls of a stored history without a result that a person was asked about, in whichever process, returns
   * the recorded results of those that ran before, and lists those that still wait for the client. The others are left
   * out, and so is a question that the user passed over, until it is answered.
   */
  async resume(calls: readonly ModelCall[], options: AnswerOptions = {}): Promise<AnsweredCalls> {
    const asked = await Promise.all(
      calls.map(async ({ id, tool, input, stopped, isPassedOver }) => {
        if (stopped !== undefined) return false
        const { calls, before } = this.#gate.state.stepCalls
        const made = calls.findLast(({ given, since }) => given === id && since >= before)
        if (made !== undefined) return made.status !== 'client'
        const question = findConfirmation(this.#gate, tool, argumentsOf(input))
        if (isPassedOver) return question !== undefined && question.consent !== 'pending'
        return question !== undefined || this.#gate.approvals.asksAbout(tool, argumentsOf(input))
      }),
    )
    const results = await this.#answer(
      calls.filter((_, index) => asked[index]),
      options,
      true,
    )
    const client = calls.flatMap((call) =>
      call.isPassedOver ? [] : (this.#clientCall(call) ?? []),
    )
    return { ...results, client }
  }

  /** Returns the kept result of a call, or runs it: for the first time, or after a person's answer. */
  async #once(
    call: ModelCall,
    run: (call: ModelCall) => Promise<ToolResponse>,
  ): Promise<ToolResponse> {
    const key = JSON.stringify([call.id, call.tool, call.input])
    const kept = this.#results.get(key)
    const result = kept ?? run(call)
    this.#results.set(key, result)
    const response = await result
    const forget = () => this.#results.get(key) === result && this.#results.delete(key)
    if (neverRan(response)) forget()
    if (!isQuestion(response)) return response
    const consent = this.#questionOf(call, response)?.consent
    if (consent === 'pending' || (consent === undefined && kept === undefined)) return response
    forget()
    return this.#once(call, run)
  }

  async #run(
    { id, tool, input, stopped }: ModelCall,
    resumes: boolean,
    options: AnswerOptions,
  ): Promise<ToolResponse> {
    const given = argumentsOf(input)
    const response = await this.#gate.callTool(tool, given, {
      ...options,
      caller: 'model',
      call: id,
      ...(resumes && { resumes: id }),
      ...(stopped !== undefined && { stopped }),
    })
    if (response.ok || typeof given !== 'string' || response.error.type !== 'VALIDATION') {
      return response
    }
    const message = `The arguments are not JSON. ${response.error.message}`
    return { ...response, error: { ...response.error, message } }
  }

  #waitingCall(call: ModelCall, response: ToolResponse): WaitingCall | null {
    if (!isQuestion(response)) return null
    const { confirmation, expiresAt } = response.error.details
    const asked = this.#questionOf(call, response)
    return {
      ...shownIn(response),
      confirmation: asked?.id ?? String(confirmation),
      call: call.id,
      ...callTarget(this.#gate, call.tool, argumentsOf(call.input)),
      expiresAt: asked?.expiresAt ?? Number(expiresAt),
    }
  }

  #clientCall(call: ModelCall): ClientCall | null {
    if (!this.#gate.state.waiting.some((one) => one.call === call.id)) return null
    return { call: call.id, ...callTarget(this.#gate, call.tool, argumentsOf(call.input)) }
  }

  /** Finds a question by its id, or by the call where a redactor hides the id. */
  #questionOf({ tool, input }: ModelCall, { error }: ToolFailure): PendingConfirmation | undefined {
    const { confirmation } = error.details
    return (
      allConfirmations(this.#gate.state).find(({ id }) => id === confirmation) ??
      findConfirmation(this.#gate, tool, argumentsOf(input))
    )
  }
}

/** The reason for a call in which the answer ended. */
export const CUT_CALL = 'The answer ended inside this call, so it was not made.'

/** Returns the reason for the calls of an answer that ended before its end, such as at a filter. */
export function stoppedAnswer(by: string): string {
  return fateSentence({ kind: 'stopped', by })
}

/**
 * Reads the arguments of a call. No text at all is an object without members. Text that is not JSON is
 * passed on as text, which the gate refuses.
 */
export function argumentsOf(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** Returns what a person who is asked sees, from the details of a question. */
export function shownIn({
  error: { details },
}: ToolFailure): Pick<AskedQuestion, 'asks' | 'condition' | 'preview'> {
  const { asks, condition, preview } = details as Pick<
    AskedQuestion,
    'asks' | 'condition' | 'preview'
  >
  return { ...(asks && { asks }), ...(condition && { condition }), ...(preview && { preview }) }
}

function isQuestion(response: ToolResponse): response is ToolFailure {
  return !response.ok && response.error.type === 'CONFIRMATION_REQUIRED'
}

/** True for a call that was given up before its start: the log has no entry of it. */
function neverRan(response: ToolResponse): boolean {
  return !response.ok && response.meta.seq === undefined && !response.error.partialSideEffects
}
