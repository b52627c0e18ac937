import { checkOptions, checkRecord } from '../../kernel/check-options.ts'
import { textHash } from '../../kernel/content-hash.ts'
import { identityMemo, sameItems } from '../../kernel/identity-memo.ts'
import { wellFormed, withoutUndefined } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { providerName } from '../../schema/provider-forms/provider-name.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { modelText } from '../../tools/response/model-text.ts'
import { sentPart } from '../../tools/response/sent-media-type.ts'
import {
  type AnsweredCall,
  type AnsweredCalls,
  type AnswerOptions,
  type ClientCall,
  type WaitingCall,
} from '../calls/call-answers.ts'
import type { WorkspaceStep } from '../offer/workspace-step.ts'
import { toolsInResult } from '../offer/conversation/history-message.ts'
import { type ConversationForm, type WireResult, type WireTypes } from './conversation-form.ts'
import { continued, groupHistory, type ItemGroup } from './group-history.ts'
import {
  CONVERSATION_OPTIONS,
  type ConversationWorkspace,
  ModelConversation,
} from './model-conversation.ts'
import { fitCalls } from './read-items.ts'

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

/** An answer of a model, after its calls. */
export interface Answered<Item> {
  readonly status: AnswerStatus
  /** To append to the host's history: the answer, and the results of its calls. */
  readonly items: readonly Item[]
  readonly calls: readonly AnsweredCall[]
  readonly waiting: readonly WaitingCall[]
  readonly client: readonly ClientCall[]
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
 * Connects a workspace to the API of a model, in the form of a wire. Make one object for each workspace and use it as
 * long as the workspace is open.
 *
 * Everything that the APIs have in common happens here: turns and steps begin, results are found by their calls, calls
 * pass the gate once, questions wait for a person, calls that were cut, stopped or lost have a result that says so, and
 * texts, names, ids and arguments are those that a provider takes. What is different is in the form, see
 * `ConversationForm`. The rules come from the pages of the providers, and are checked on a socket (docs/wires.md).
 *
 * Throws `OPTIONS_INVALID` for options that neither all conversations nor the form have.
 *
 * @param workspace an open workspace
 * @param parts `provider` decides names and media types; `form` is that of the wire; `options` are those of the host
 */
export function conversation<Wire extends WireTypes>(
  workspace: ConversationWorkspace,
  parts: ConversationParts<Wire>,
): Conversation<Wire> {
  checkRecord(parts, { provider: 'text', form: 'object', options: true }, 'provider', 'form')
  const { provider, form, options = {} } = parts
  checkOptions(options, { ...CONVERSATION_OPTIONS, ...form.options })
  return new Conversation(workspace, provider, form, options)
}

/** The parts of a conversation. */
interface ConversationParts<Wire extends WireTypes> {
  readonly provider: Provider
  readonly form: ConversationForm<Wire>
  readonly options?: Wire['options']
}

/** A workspace in the form of one wire. */
export class Conversation<Wire extends WireTypes = WireTypes> {
  readonly #model: ModelConversation
  readonly #provider: Provider
  readonly #form: ConversationForm<Wire>
  readonly #options: Wire['options']
  #ways: ConversationForm<Wire>['ways']
  /** The history of this step, and its length before anything was left out. */
  #sent: readonly Wire['item'][] = []
  #length = 0
  /** The ids of the calls in it. */
  #taken: ReadonlySet<string> = new Set()
  #next: Partial<Wire['request']> = {}
  /** The names that the calls which are answered have in the history, by their ids. */
  #names: ReadonlyMap<string, string> = new Map()
  /** The id of the last answer. */
  #compare: string | undefined

  constructor(
    workspace: ConversationWorkspace,
    provider: Provider,
    form: ConversationForm<Wire>,
    options: Wire['options'],
  ) {
    this.#options = wellFormed(options)
    this.#model = new ModelConversation(workspace, provider, this.#options)
    this.#provider = provider
    this.#form = form
    this.#ways = form.ways
  }

  /** True when the provider refused something that not every model takes, so that requests no longer have it. */
  get fellBack(): boolean {
    return this.#ways.length < this.#form.ways.length
  }

  /**
   * Begins a step, and before it a turn when the history ends with a new message of the user, and returns the request.
   * Give it your complete history, without what the workspace adds.
   *
   * @param kept what the provider keeps of the history: only what it lacks is sent
   */
  async next(history: readonly Wire['item'][], kept?: Wire['kept']): Promise<Wire['request']> {
    const [form, options] = [this.#form, this.#options]
    const { model } = options
    const { leading, groups, messages } = await this.#read(history, kept)
    const carries = this.#ways.filter((way) => way !== 'files')
    const step = await this.#model.beginStep(messages, {
      carries,
      ...(model !== undefined && { model }),
    })
    const { session } = this.#model.workspace
    const tools = step.tools.map((tool) => this.#tool(tool, step.deferred.has(tool.name)))
    const request = form.request({
      step,
      options,
      tools,
      leading,
      messages: this.#write(step, groups),
      cacheKey: session.length <= MAX_KEY ? session : textHash(session).slice(-MAX_KEY),
      kept,
      compare: this.#compare,
      next: this.#next,
    })
    const own = Object.keys(form.options).flatMap((name) => {
      const value = options[name as keyof Wire['options']]
      return name === 'model' || value === undefined ? [] : [[name, value]]
    })
    this.#model.noteSent(step, tools, [own, leading], form.isUnmarked?.(request))
    return request
  }

  async #read(history: readonly Wire['item'][], kept?: Wire['kept']) {
    const form = this.#form
    this.#sent = this.#ways.includes('files') ? history : this.#withoutFiles(history)
    this.#length = history.length
    const { open } = groupHistory(this.#sent, form)
    const missing = open.length === 0 ? undefined : await this.#model.missing(open)
    const { leading, groups, calls } = groupHistory(this.#sent, form, missing)
    // A provider that keeps the history knows its calls by its own ids.
    this.#taken = kept === undefined ? calls : new Set()
    const messages = groups.map(({ message }) => message)
    const last = messages.at(-1)
    if (form.continuesAnswers && last?.role === 'assistant') messages.splice(-1, 1, continued(last))
    return { leading, groups, messages }
  }

  /** Asks the model, unless an earlier process kept its answer to this request. Null when the request is to be made again. */
  async #ask(
    at: number,
    history: readonly Wire['item'][],
    send: (request: Wire['request']) => Promise<Wire['answer']>,
  ): Promise<Wire['answer'] | null> {
    const model = this.#model
    const read = model.isDurable ? await this.#read(history) : undefined
    if (read) model.placeStep(at, () => read.messages)
    const kept = read && (await model.keptAnswer(read.messages))
    if (kept !== undefined) return kept as unknown as Wire['answer']
    const request = await this.next(history)
    try {
      const answer = await send(request)
      const isComplete = this.#form.answer(wellFormed({ ...answer })) !== null
      return isComplete ? ((await model.keepAnswer(answer)) as Wire['answer']) : answer
    } catch (error) {
      if (this.refused(error)) return null
      throw error
    }
  }

  /**
   * Runs the calls of an answer through the gate, and returns what to append to your history. The same answer given
   * again, before the next step, runs nothing again.
   */
  async answer(
    given: Wire['answer'],
    options: AnswerOptions = {},
  ): Promise<Answered<Wire['item']>> {
    const usage = this.#form.usage?.(given) ?? null
    this.#compare = usage?.id
    await this.#model.report(usage)
    // A copy, because the answer of a client may be an object of a class.
    const read = this.#form.answer(wellFormed({ ...given }))
    this.#next = {}
    if (read === null) return { status: 'failed', items: [], calls: [], waiting: [], client: [] }
    const calls = fitCalls<Wire>(read, this.#form, this.#provider, this.#taken, this.#length)
    const items = read.items(calls.map(({ sent }) => sent))
    if (items.length > 0 && read.next) this.#next = read.next
    const status = read.status === 'done' && calls.length > 0 ? 'continue' : read.status
    const results = await this.#model.answer(
      calls.map(({ call }) => call),
      options,
    )
    // Results without their calls are not valid: of a refused answer, nothing is appended.
    this.#names = new Map(calls.map(({ sent }) => [sent.id, sent.name]))
    return this.#answered(status, items, items.length > 0 ? results.answered : [], results)
  }

  /** Makes the waiting calls of a history after a person's answer, also in another process. */
  async resume(
    history: readonly Wire['item'][],
    options: AnswerOptions = {},
  ): Promise<Answered<Wire['item']>> {
    const { open } = groupHistory(history, this.#form)
    const results = await this.#model.resume(open, options)
    this.#names = new Map(open.map(({ id, tool }) => [id, tool]))
    return this.#answered('continue', [], results.answered, results)
  }

  /**
   * Returns true when the provider refused a request because of something that not every model takes. From then on
   * requests do not have it: make the step again.
   */
  refused(error: unknown): boolean {
    if (!(error instanceof Error) || !('status' in error)) return false
    const { strategy } = this.#model.workspace.state
    const refusal = this.#form.refusals.find(({ ways, words }) => {
      if (!words.test(error.message) || !ways.some((way) => this.#ways.includes(way))) return false
      // Servers refuse files with several statuses.
      if (ways.includes('files')) return !sameItems(this.#withoutFiles(this.#sent), this.#sent)
      const isUsed = strategy === (ways.includes('deferred') ? 'deferred' : 'conversation')
      return isUsed && error.status === 400
    })
    this.#ways = this.#ways.filter((way) => refusal?.ways.includes(way) !== true)
    return refusal !== undefined
  }

  /**
   * Requests and answers until the model is done, a person is asked, or an answer is not complete. Begins with the
   * calls that a person was asked about: after the answer, run again with the same history. Everything is appended to
   * it as it happens, so that it is complete after an error, too. Rejects with the error of the provider.
   */
  async run(client: Wire['client'], given: Wire['run']): Promise<ConversationRun<Wire['answer']>> {
    const { maxSteps = 20, services, approve, onStart, onProgress, onEnd, ...others } = given
    const opened = this.#form.open?.(client, others)
    if (opened === undefined) throw new WorkspaceError('CALL_INVALID', NO_LOOP)
    const { history, send } = opened
    const { signal } = given
    const options = withoutUndefined({ signal, services, approve, onStart, onProgress, onEnd })
    const resumed = await this.resume(history, options)
    history.push(...resumed.items)
    if (resumed.status === 'waiting') {
      return { status: 'waiting', response: null, waiting: resumed.waiting, client: resumed.client }
    }
    let response: Wire['answer'] | null = null
    for (let step = 0; step < maxSteps; step += 1) {
      given.signal?.throwIfAborted()
      const answer = await this.#ask(step, history, send)
      if (answer === null) continue
      response = answer
      const { status, items, waiting, client: asked } = await this.answer(response, options)
      history.push(...items)
      if (status !== 'continue') return { status, response, waiting, client: asked }
    }
    return { status: 'continue', response, waiting: [], client: [] }
  }

  #withoutFiles(history: readonly Wire['item'][]): readonly Wire['item'][] {
    const { withoutFiles = (item) => item } = this.#form
    return history.flatMap((item) => withoutFiles(item) ?? [])
  }

  #write(
    { messages, tools }: WorkspaceStep,
    groups: readonly ItemGroup<Wire['item']>[],
  ): readonly Wire['item'][] {
    const form = this.#form
    const names = form.group && this.#ways.includes('deferred') ? tools : []
    const callable = new Set(names.map(({ name }) => providerName(name, this.#provider)))
    return messages.flatMap((message): readonly Wire['item'][] => {
      switch (message.kind) {
        case 'history': {
          const whole = groups[message.index] as ItemGroup<Wire['item']>
          const group = (message.withdrawn && whole.without?.(message.withdrawn)) ?? whole
          return form.group?.(group.items, group.message.role, callable) ?? group.items
        }
        case 'text':
          return [form.text(message.text)]
        case 'tools':
          return form.toolChange?.(message, (tool) => this.#tool(tool, false)) ?? []
      }
    })
  }

  #tool(tool: Tool, isDeferred: boolean): Wire['tool'] {
    const form = this.#form
    return writtenTools([form, tool], String(isDeferred), () => form.tool(tool, isDeferred))
  }

  /** Builds the result of an answer. A call that waits comes before every other reason to stop. */
  #answered(
    status: AnswerStatus,
    items: readonly Wire['item'][],
    results: readonly AnsweredCall[],
    { answered, waiting, client }: AnsweredCalls,
  ): Answered<Wire['item']> {
    const written = this.#form.results(results.map((one) => this.#result(one)))
    return {
      status: waiting.length > 0 || client.length > 0 ? 'waiting' : status,
      items: [...items, ...written],
      calls: answered,
      waiting,
      client,
    }
  }

  #result({ call: { id, tool, program }, response }: AnsweredCall): WireResult {
    const content = response.ok ? response.content : undefined
    const parts = content?.map((part) => sentPart(part, this.#provider))
    const named = response.ok ? toolsInResult(tool, response.data) : []
    return {
      id,
      name: this.#names.get(id) ?? tool,
      ...(program && { program }),
      text: parts?.map(({ text }) => text).join('\n\n') ?? modelText(response),
      ...(parts && { parts }),
      isError: !response.ok,
      references: named
        .filter((name) => this.#model.isDeferred(name))
        .map((name) => providerName(this.#model.ownName(name), this.#provider)),
    }
  }
}

/** The forms of tools, once for each definition. */
const writtenTools = identityMemo<object>()

const NO_LOOP =
  'The runtime of this conversation has a loop of its own: call "next" and "answer" in it.'

/** The longest key of a cache that providers take. */
const MAX_KEY = 64
