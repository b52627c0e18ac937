import {
  type Answered,
  type Conversation,
  conversation,
  type ConversationOptions,
} from '../../../entries/adapter.ts'
import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { CONVERSATION_OPTIONS } from '../../../workspace/conversation/model-conversation.ts'
import { askedCalls, interruptRun, type Interrupt } from './interrupt-run.ts'
import {
  type LangChainCall,
  type LangChainMessage,
  langChainForm,
  type LangChainWire,
  type MessageClasses,
  type ModelMessage,
  type ResultMessage,
} from './lang-chain-form.ts'
import { nativeCalls } from './tools-from-lang-chain.ts'

/** The part of LangChain's runtime that the middleware uses. */
export interface LangChainRuntime {
  readonly configurable?: { readonly thread_id?: string; readonly [key: string]: unknown }
  readonly context?: unknown
  readonly signal?: AbortSignal
  readonly interrupt?: Interrupt
  /** Its stream writer, which each run has one of. */
  readonly writer?: object | null
}

/** Options of the middleware. Either `open` or `workspace` is needed. */
export interface LangChainOptions extends ConversationOptions {
  /**
   * Opens the session of a thread, at the first step of a run. The middleware closes it when the run ends, fails or waits
   * for a person, so give it a log.
   */
  open?(runtime: LangChainRuntime): VirtualWorkspace | Promise<VirtualWorkspace>
  /** The workspace of all runs, which stays open. */
  readonly workspace?: VirtualWorkspace
}

const OPTIONS: OptionsOf<LangChainOptions> = {
  ...CONVERSATION_OPTIONS,
  open: 'function',
  workspace: 'object',
}

/** The request of a model, as LangChain gives it to middleware. */
interface ModelRequest {
  readonly messages: LangChainMessage[]
  readonly tools: readonly { readonly name?: unknown }[]
  readonly systemMessage: LangChainMessage & { concat(text: string): LangChainMessage }
  readonly runtime: LangChainRuntime
}

/** A call, as LangChain gives it to middleware. */
interface ToolCallRequest {
  readonly toolCall: LangChainCall
  readonly tool: unknown
  readonly runtime: LangChainRuntime
}

/* oxlint-disable typescript/no-explicit-any -- types of LangChain, which has many versions */

/** A middleware of LangChain's `createAgent`. */
export interface LoadoutMiddleware {
  readonly name: string
  wrapModelCall(request: any, handler: any): Promise<any>
  afterModel(state: any, runtime: any): Promise<undefined>
  wrapToolCall(request: any, handler: any): Promise<any>
  afterAgent(state: any, runtime: any): Promise<undefined>
}

/* oxlint-enable typescript/no-explicit-any */

/**
 * Makes a middleware of LangChain's `createAgent`: each request of the model has the tools and the prompt of a workspace,
 * each call passes its gate, and its questions are one interrupt, in the form of LangChain's
 * `humanInTheLoopMiddleware`. Calls of tools that the workspace does not know go to LangChain.
 *
 *     const agent = createAgent({ model, checkpointer, middleware: [loadoutMiddleware({ open })] })
 *
 * Throws `OPTIONS_INVALID` for other options, and without a workspace.
 */
export function loadoutMiddleware(options: LangChainOptions): LoadoutMiddleware {
  const threads = new Threads(options)
  return {
    name: 'Loadout',
    async wrapModelCall(request: ModelRequest, handler: ModelHandler) {
      const { talk } = await threads.at(request.runtime)
      try {
        return await askModel(talk, request, handler)
      } catch (failed) {
        await threads.end(request.runtime)
        throw failed
      }
    },
    async afterModel(
      { messages }: { readonly messages: LangChainMessage[] },
      runtime: LangChainRuntime,
    ) {
      const { tool_calls: calls = [] } = messages.at(-1) as ModelMessage
      if (calls.length === 0) return undefined
      const { workspace } = await threads.at(runtime)
      try {
        await interruptRun(workspace, await askedCalls(workspace, calls), runtime.interrupt)
      } catch (interrupted) {
        await threads.end(runtime)
        throw interrupted
      }
      return undefined
    },
    async wrapToolCall(request: ToolCallRequest, handler: ToolHandler) {
      const { toolCall, tool, runtime } = request
      const thread = await threads.at(runtime)
      const isUnknown = thread.workspace.explain(toolCall.name).status === 'unknown'
      if (!isUnknown) return passGate(thread, request, handler)
      if (tool !== undefined) return handler(request)
      // Middleware behind this one may bring the tool; otherwise the gate says which ones there are.
      const invoke = () => passGate(thread, request, handler)
      return handler({ ...request, tool: { name: toolCall.name, invoke } })
    },
    async afterAgent(_: unknown, runtime: LangChainRuntime) {
      await threads.end(runtime)
      return undefined
    },
  }
}

type ModelHandler = (request: object) => Promise<ModelMessage>

/** Makes a request with the step of a session. A tool of the host with the name of another one is left out. */
async function askModel(
  talk: Conversation<LangChainWire>,
  request: ModelRequest,
  handler: ModelHandler,
): Promise<ModelMessage> {
  const { system, tools, messages } = await talk.next(request.messages)
  const names = new Set<unknown>(tools.map((tool) => tool.function.name))
  const message = await handler({
    ...request,
    systemMessage: withText(request.systemMessage, system),
    messages,
    tools: [...request.tools.filter((tool) => !names.has(tool.name)), ...tools],
  })
  await talk.answer({ message, calls: [] })
  return message
}

/** Returns the message of the system with a text behind its own. */
function withText(message: ModelRequest['systemMessage'], text: string): LangChainMessage {
  if (text === '') return message
  return message.concat(message.text === '' ? text : `\n\n${text}`)
}

type ToolHandler = (request: object) => Promise<unknown>

/** Makes a call through the gate, and asks a person where the gate does. */
async function passGate(
  { workspace, talk }: Thread,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<unknown> {
  const { toolCall, runtime } = request
  const native = nativeCalls.begin(workspace.session, toolCall.id ?? '', (tool, args) =>
    handler({ ...request, tool, toolCall: { ...toolCall, args } }),
  )
  try {
    const answer = () => answerCall(talk, toolCall, runtime)
    const first = await answer()
    const asked = first.waiting.map(({ confirmation }) => {
      return { call: toolCall, confirmation, isAnswered: false }
    })
    await interruptRun(workspace, asked, runtime.interrupt)
    const { items } = asked.length > 0 ? await answer() : first
    if (items.length < 2) throw unanswered(toolCall.name)
    return native.inPlaceOf(items[1] as ResultMessage)
  } finally {
    native.end()
  }
}

/** Makes one call: LangChain makes those of an answer one by one. */
async function answerCall(
  talk: Conversation<LangChainWire>,
  call: LangChainCall,
  { signal }: LangChainRuntime,
): Promise<Answered<LangChainMessage>> {
  const { AIMessage } = await classes()
  return talk.answer({ message: new AIMessage(''), calls: [call] }, { ...(signal && { signal }) })
}

/** Loads the application's copy of LangChain, which knows messages by their classes. */
function classes(): Promise<MessageClasses> {
  // @ts-expect-error -- The application installs it, and has one copy.
  return import('@langchain/core/messages')
}

function unanswered(tool: string): WorkspaceError {
  return new WorkspaceError('CALL_INVALID', `Nobody here answers a call of "${tool}".`, {
    facts: { tool },
    hint: 'A tool in an agent of LangChain needs "execute", and a question needs a checkpointer.',
  })
}

/** A workspace in the conversation of one thread. */
interface Thread {
  readonly workspace: VirtualWorkspace
  readonly talk: Conversation<LangChainWire>
}

/** The workspaces of the threads that run, by run: runs without a thread, and runs of one thread, share nothing. */
class Threads {
  readonly #open: NonNullable<LangChainOptions['open']>
  readonly #options: ConversationOptions
  /** The workspace of all runs, which is the host's to close. */
  readonly #shared: VirtualWorkspace | undefined
  readonly #runs = new WeakMap<object, Map<string, Promise<Thread>>>()

  constructor(given: LangChainOptions) {
    checkOptions(given, OPTIONS)
    const { workspace, open = workspace && (() => workspace), ...options } = given
    if (open === undefined) {
      throw new WorkspaceError('OPTIONS_INVALID', '"open" is missing.', {
        facts: { option: 'open' },
        hint: 'Give "open", which opens the session of a thread, or "workspace".',
      })
    }
    this.#open = open
    this.#options = options
    this.#shared = workspace
  }

  /** Returns the workspace of a thread, which is opened at its first use in a run. */
  at(runtime: LangChainRuntime): Promise<Thread> {
    const { threads, name } = this.#of(runtime)
    const running = threads.get(name) ?? this.#start(runtime)
    threads.set(name, running)
    running.catch(() => threads.delete(name))
    const end = () => this.end(runtime).catch(() => {})
    runtime.signal?.addEventListener('abort', end, { once: true })
    return running
  }

  /** Closes what was opened for a run. */
  async end(runtime: LangChainRuntime): Promise<void> {
    const { threads, name } = this.#of(runtime)
    const running = threads.get(name)
    if (running === undefined || this.#shared !== undefined) return
    threads.delete(name)
    await (await running).workspace.close()
  }

  #of({ configurable, writer }: LangChainRuntime) {
    const run = this.#shared ?? writer ?? this
    const threads = this.#runs.get(run) ?? new Map<string, Promise<Thread>>()
    this.#runs.set(run, threads)
    return { threads, name: this.#shared ? '' : (configurable?.thread_id ?? '') }
  }

  async #start(runtime: LangChainRuntime): Promise<Thread> {
    const workspace = await this.#open(runtime)
    const form = langChainForm(await classes())
    return {
      workspace,
      talk: conversation(workspace, { provider: 'openai', form, options: this.#options }),
    }
  }
}
