import {
  type AnsweredCalls,
  type AnswerGate,
  type AnswerOptions,
  CallAnswers,
  type ModelCall,
} from '../calls/call-answers.ts'
import { CallFates, type CallHistory, type MissingResult } from './call-fates.ts'
import {
  historyKey,
  requestKey,
  type HistoryMessage,
  type HistoryResult,
  messageKey,
} from '../offer/conversation/history-message.ts'
import { TRIM_OPTIONS, type TrimOptions } from '../offer/conversation/trim-history.ts'
import { WITHDRAW_TEXTS, type WithdrawTexts } from '../offer/conversation/withdraw-texts.ts'
import type { StepRequest, WorkspaceStep } from '../offer/workspace-step.ts'
import { isDeferred } from '../offer/exposure/exposure-strategy.ts'
import { PROMPT_OPTIONS, type PromptRequest } from '../offer/workspace-document.ts'
import { ownName } from '../../schema/provider-forms/provider-name.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import { RUN_OPTIONS, type StepRun } from '../../engine/model/step-call.ts'
import type { ProviderReport } from '../../engine/model/provider-report.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import type { RequestMade } from './keep-answer.ts'
import type { OptionsOf } from '../../kernel/check-options.ts'

/** Options of a conversation, the same on all wires. All are optional. */
export interface ConversationOptions {
  /** The prompt to send; `markdown` with all sections by default. */
  readonly prompt?: PromptRequest
  /** Leaves out the middle of a long conversation; nothing is left out by default. */
  readonly trim?: TrimOptions
  /** The withdrawal of texts that no longer apply from the conversation; `free` by default. See `WithdrawTexts`. */
  readonly withdraw?: WithdrawTexts
  /** True when a new message of the user begins a turn, which is the default. */
  readonly beginTurns?: boolean
  /**
   * Keeps each answer of the model in the log before its calls are made, so that a step which is made again in another process
   * makes no call twice. Names the run of the workflow engine that makes the steps, where there is one.
   */
  readonly durable?: StepRun
}

export const CONVERSATION_OPTIONS: OptionsOf<ConversationOptions> = {
  prompt: PROMPT_OPTIONS,
  trim: TRIM_OPTIONS,
  withdraw: WITHDRAW_TEXTS,
  beginTurns: 'switch',
  durable: RUN_OPTIONS,
}

/** The members of a workspace that a conversation goes through. */
export interface ConversationWorkspace extends AnswerGate, CallHistory {
  readonly session: string
  tools(): readonly { readonly name: string }[]
  readonly calls: {
    sentName(tool: string, unnamed: Provider): string
    keptAnswer(request: RequestMade): Promise<JsonValue | undefined>
    keepAnswer(answer: JsonValue, run: StepRun): Promise<JsonValue>
  }
  beginTurn(options: { readonly by: 'user'; readonly services: unknown }): Promise<unknown>
  beginStep(request: StepRequest): Promise<WorkspaceStep>
  readonly figures: {
    report(report: ProviderReport & { readonly step?: number }): Promise<unknown>
  }
}

/** A provider's account of an answer, as the wire reads it. */
export type ReadUsage = Omit<ProviderReport, 'host' | 'wrote'> & {
  /** The id by which the next request asks for a diagnosis of the cache. */
  readonly id?: string
}

const toolHashes = identityMemo<string>()

/** Returns a short text that differs for other content. It is no reference to a definition, as a complete hash is. */
function shortHash(value: unknown): string {
  return textHash(JSON.stringify(value)).slice(-16)
}

/**
 * A workspace in a conversation with a model, for the adapters of all wires: begins its turns and steps, and
 * answers its calls. What it stores lasts for one step.
 */
export class ModelConversation<Workspace extends ConversationWorkspace = ConversationWorkspace> {
  readonly workspace: Workspace
  readonly #calls: CallAnswers
  readonly #fates: CallFates
  readonly #provider: Provider
  readonly #options: ConversationOptions
  /** Messages whose references have the names of the session. */
  readonly #named = new WeakMap<HistoryMessage, HistoryMessage>()
  #turn: string | null = null
  /** The run of the step, with its name; undefined when no answers are kept. */
  #run: StepRun | undefined
  /** The name of the first step of the loop. */
  #begun = ''
  /** The facts about the last request that its report is compared by. */
  #sent: (Pick<ProviderReport, 'host' | 'wrote' | 'unmarked'> & { readonly step: number }) | null =
    null

  constructor(workspace: Workspace, provider: Provider, options: ConversationOptions) {
    this.workspace = workspace
    this.#calls = new CallAnswers(workspace)
    this.#fates = new CallFates(workspace)
    this.#provider = provider
    this.#options = options
    this.#run = options.durable
  }

  /**
   * Begins a step, and before it a turn when the history ends with a new message of the user.
   *
   * @param given the history, with the names that the provider has in references
   * @param services those of the turn; those of the workspace when absent
   */
  async beginStep(
    given: readonly HistoryMessage[],
    wire: Pick<StepRequest, 'carries' | 'model' | 'activeTools'>,
    services?: unknown,
  ): Promise<WorkspaceStep> {
    const history = given.map((message) => this.#inOwnNames(message))
    await this.#beginTurn(history, services)
    this.#calls.begin()
    const { prompt, trim, withdraw } = this.#options
    const run = this.#run
    return this.workspace.beginStep({
      ...prompt,
      ...wire,
      history,
      ...(trim && { trim }),
      ...(withdraw && { withdraw }),
      ...(run && { run }),
    })
  }

  /**
   * Resumes the step of a request whose answer was kept, and resolves with that answer; with undefined when none was, or
   * when the host keeps none.
   */
  async keptAnswer(given: readonly HistoryMessage[]): Promise<JsonValue | undefined> {
    const run = this.#run
    if (run === undefined) return undefined
    const history = given.map((message) => this.#inOwnNames(message))
    const answer = await this.workspace.calls.keptAnswer({ history, run })
    if (answer !== undefined) this.#calls.begin()
    return answer
  }

  /**
   * Keeps the answer to the last request, where the host wants that. Resolves with it, or with the one that another process
   * kept first.
   *
   * @param plain the answer as plain JSON
   */
  async keepAnswer<Answer>(answer: Answer, plain?: JsonValue): Promise<Answer | JsonValue> {
    const run = this.#run
    if (run === undefined) return answer
    const own = plain ?? (JSON.parse(JSON.stringify(answer)) as JsonValue)
    const first = await this.workspace.calls.keepAnswer(own, run)
    return first === own ? answer : first
  }

  /**
   * Notes what the cost of a step does not have about its request, for the report of its provider.
   *
   * @param written the tools of the step, in the form in which the adapter wrote them
   * @param own settings of the host that the provider reads before or after those of the workspace
   */
  noteSent(
    { step, tools, deferred }: WorkspaceStep,
    written: readonly object[],
    own: unknown,
    unmarked = false,
  ): void {
    const inPrompt = written.filter((_, at) => !deferred.has(tools[at]?.name ?? ''))
    const wrote = shortHash(inPrompt.map((one) => toolHashes([one], '', () => shortHash(one))))
    this.#sent = { step, host: shortHash(own), wrote, ...(unmarked && { unmarked }) }
  }

  /**
   * Names a step by its place in a run of the loop, so that an attempt with other results in its history is known. Call it
   * before each step of a durable conversation.
   *
   * @param given the history of the first step of the loop
   */
  placeStep(at: number, given: () => readonly HistoryMessage[]): void {
    const { durable } = this.#options
    if (durable === undefined) return
    if (at === 0) this.#begun = durable.step ?? historyKey(given())
    this.#run = { ...durable, step: `${this.#begun}/${at}` }
  }

  /** True when answers are kept before their calls. */
  get isDurable(): boolean {
    return this.#options.durable !== undefined
  }

  /** Records the provider's own account of the answer to the last request. */
  async report(read: ReadUsage | null): Promise<void> {
    if (read === null || this.#sent === null) return
    const { id: _, ...usage } = read
    await this.workspace.figures.report({ ...this.#sent, ...usage })
  }

  #inOwnNames(message: HistoryMessage): HistoryMessage {
    const { results = [] } = message
    if (results.every(({ references }) => references === undefined)) return message
    const inOwnNames = ({ references, ...result }: HistoryResult) => ({
      ...result,
      ...(references && { references: references.map((name) => this.ownName(name)) }),
    })
    const { withdraw } = message
    const named = this.#named.get(message) ?? {
      ...message,
      results: results.map(inOwnNames),
      ...(withdraw && { withdraw: (withdrawn) => this.#inOwnNames(withdraw(withdrawn)) }),
    }
    this.#named.set(message, named)
    return named
  }

  /** Runs the calls of an answer, under the names that the model used. See `CallAnswers`. */
  async answer(calls: readonly ModelCall[], options: AnswerOptions): Promise<AnsweredCalls> {
    return this.#underOwnNames(await this.#calls.answer(calls, options))
  }

  /** Runs the calls without a result that a person was asked about. See `CallAnswers`. */
  async resume(calls: readonly ModelCall[], options: AnswerOptions): Promise<AnsweredCalls> {
    return this.#underOwnNames(await this.#calls.resume(calls, options))
  }

  /** Returns what stands for the results of calls of a history that have none, by the id of each. */
  missing(calls: readonly ModelCall[]): Promise<ReadonlyMap<string, MissingResult>> {
    return this.#fates.missing(calls)
  }

  /** Returns the name under which the provider gets a tool. */
  sentName(tool: string): string {
    return this.workspace.calls.sentName(tool, this.#provider)
  }

  /** Returns the name in the session of a tool that the provider knows by another one. */
  ownName(sent: string): string {
    return ownName(sent, this.#names())
  }

  /** Returns true when a result that names a tool has to refer to it in the provider's way. */
  isDeferred(sent: string): boolean {
    return isDeferred(this.workspace.state, this.ownName(sent))
  }

  #underOwnNames({ answered, ...others }: AnsweredCalls): AnsweredCalls {
    const own = answered.map(({ call, response }) => {
      return { call: { ...call, tool: this.ownName(call.tool) }, response }
    })
    return { ...others, answered: own }
  }

  /**
   * A request that is made again, such as after an error of the provider or in another process, begins no turn. The
   * services of a turn are those of a process, so a turn with services begins again in another one.
   */
  async #beginTurn(history: readonly HistoryMessage[], services: unknown): Promise<void> {
    const last = history.at(-1)
    if (this.#options.beginTurns === false || last?.role !== 'user') return
    const turn = `${history.filter(({ role }) => role === 'user').length} ${messageKey(last)}`
    if (turn === this.#turn) return
    const { conversation, stepCalls, turn: current } = this.workspace.state
    const key = requestKey(history, this.#run)
    const isSent =
      conversation.history === key ||
      stepCalls.requests.some((one) => one.history === key && (one.run || one.turn === current))
    if (!isSent || services !== undefined) {
      await this.workspace.beginTurn({ by: 'user', services })
    }
    this.#turn = turn
  }

  *#names(): Iterable<string> {
    const { exposed, found } = this.workspace.state
    for (const { name } of exposed ?? []) yield name
    for (const { name } of found) yield name
    for (const { name } of this.workspace.tools()) yield name
  }
}
