// Not by name: version 5 has no ToolLoopAgent, and its users have to get the error of `forAiSdk`.
import * as sdk from 'ai'
import type { LanguageModel, ModelMessage, TextStreamPart, ToolCallPart, ToolSet } from 'ai'
import {
  defineTool,
  type Tool,
  type ToolContext,
  type VirtualWorkspace,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkOptions, type OptionTable } from '../../../entries/kit.ts'
import { forAiSdk } from './for-ai-sdk.ts'
import { TaskConversation } from './task-conversation.ts'

/** Options of `taskTool`. */
export interface TaskToolOptions {
  /** The agents of the catalog that the model may give tasks to. */
  readonly agents: readonly string[]
  /** The model of all of them, or that of each. */
  readonly model: LanguageModel | ((agent: string) => LanguageModel)
  /** The name of the tool; `task` when absent. */
  readonly name?: string
  /**
   * Stores the messages of subagents, so that a task goes on after the end of its process. Without it, a task that
   * was cut short starts again.
   */
  readonly messages?: TaskMessages
}

/** Stores the conversations of subagents, by the ids of their sessions. The messages are JSON. */
export interface TaskMessages {
  read(session: string): Promise<readonly ModelMessage[] | undefined>
  write(session: string, messages: readonly ModelMessage[]): Promise<void>
}

/** The state of a task, which the tool streams. The result is the final text. */
export interface TaskProgress {
  /** The child session of the subagent. */
  readonly session: string
  readonly agent: string
  /** `waiting`: a person is asked about a call of the subagent. */
  readonly status: 'working' | 'waiting'
  /** The text of the last step. */
  readonly text: string
  /** The calls so far. */
  readonly calls: readonly { readonly call: string; readonly tool: string }[]
  /** The ids of the questions to a person. `approve` and `deny` of the workspace answer them. */
  readonly questions: readonly string[]
}

const OPTIONS: OptionTable = { agents: true, model: true, name: 'text', messages: true }

/**
 * Makes a tool with which a model gives a task to a subagent. The subagent works in a child session of the workspace
 * (`workspace.sessions.child`), and its progress is streamed as preliminary results. The model gets its final text only.
 *
 *     await workspace.registerTool(taskTool(workspace, { agents: ['reader'], model }))
 *
 * A call of the subagent that a person is asked about is a question of the workspace, too: answer it with `approve` or
 * `deny`. The call of the tool waits for the answer.
 *
 * Throws `AGENT_UNKNOWN`, and `OPTIONS_INVALID`.
 */
export function taskTool(workspace: VirtualWorkspace, options: TaskToolOptions): Tool {
  checkOptions(options, OPTIONS)
  const { agents, name = 'task' } = options
  const listed = agents.map((agent) => {
    const known = workspace.catalog.agents.get(agent)
    if (known === undefined) {
      throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${agent}".`, {
        hint: 'Define it with defineAgent, and pass it to createCatalog.',
        facts: { agent },
      })
    }
    return `- ${agent}: ${known.description === '' ? known.displayName : known.description}`
  })
  const description =
    'Gives a task to a subagent, which works on it by itself and answers with its result. It knows nothing of this ' +
    `conversation: write all that it needs into the prompt.\n\nAgents:\n${listed.join('\n')}`
  return defineTool({
    name,
    description,
    summary: 'Gives a task to a subagent and returns its result.',
    category: 'action',
    // A task whose process died goes on where its messages end.
    idempotent: options.messages !== undefined,
    // Each call of the subagent is judged and limited by itself.
    timeoutMs: Infinity,
    inputSchema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: [...agents], description: 'The subagent.' },
        prompt: {
          type: 'string',
          description: 'The task, with all that the subagent has to know.',
        },
      },
      required: ['agent', 'prompt'],
      additionalProperties: false,
    },
    async *execute(input: unknown, { signal }: ToolContext) {
      const { agent, prompt } = input as { readonly agent: string; readonly prompt: string }
      const run = await openTask(workspace, options, agent, prompt)
      return yield* run.toEnd(signal)
    },
  } as Parameters<typeof defineTool>[0]) as Tool
}

/** Opens the child session of a task, or opens it again when its process ended in the middle of it. */
async function openTask(
  workspace: VirtualWorkspace,
  { model, messages: store }: TaskToolOptions,
  agent: string,
  prompt: string,
): Promise<TaskRun> {
  const ofAgent = typeof model === 'function' ? model(agent) : model
  const first: ModelMessage = { role: 'user', content: prompt }
  for (const known of store === undefined ? [] : workspace.state.children) {
    if (!known.isOpen || known.agent !== agent) continue
    const messages = (await store?.read(known.session)) ?? []
    if (JSON.stringify(messages[0]) !== JSON.stringify(first)) continue
    const child = await openUnlessOpen(workspace, agent, known.session)
    if (child === null) continue
    const conversation = new TaskConversation(messages).withLostRequests(child)
    return new TaskRun(workspace, child, ofAgent, store, conversation)
  }
  const child = await workspace.sessions.child({ agent })
  const conversation = new TaskConversation([first])
  const run = new TaskRun(workspace, child, ofAgent, store, conversation)
  await run.store(conversation)
  return run
}

/** Opens a child session again; null when it is open here, for another call. */
async function openUnlessOpen(
  workspace: VirtualWorkspace,
  agent: string,
  session: string,
): Promise<VirtualWorkspace | null> {
  try {
    return await workspace.sessions.child({ agent, session })
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'CHILD_OPEN') return null
    throw error
  }
}

/** One run of a subagent, from its task to its final text. */
class TaskRun {
  readonly #workspace: VirtualWorkspace
  readonly #child: VirtualWorkspace
  readonly #agent: sdk.ToolLoopAgent<never, ToolSet>
  readonly #store: TaskMessages | undefined
  /** Until the last step. */
  #conversation: TaskConversation
  #progress: TaskProgress

  constructor(
    workspace: VirtualWorkspace,
    child: VirtualWorkspace,
    model: LanguageModel,
    store: TaskMessages | undefined,
    conversation: TaskConversation,
  ) {
    this.#workspace = workspace
    this.#child = child
    this.#store = store
    this.#conversation = conversation
    this.#progress = {
      session: child.session,
      agent: child.agent?.name ?? '',
      status: 'working',
      text: '',
      calls: [],
      questions: [],
    }
    const prepareStep = async (step: { readonly messages: readonly ModelMessage[] }) => {
      await this.store(new TaskConversation(step.messages))
      return undefined
    }
    this.#agent = new sdk.ToolLoopAgent({ model, ...forAiSdk(child, { prepareStep }) })
  }

  /** Stores the conversation, so that another process can go on from here. */
  async store(conversation: TaskConversation): Promise<void> {
    this.#conversation = conversation
    await this.#store?.write(this.#child.session, conversation.messages)
  }

  async *toEnd(signal: AbortSignal): AsyncGenerator<TaskProgress, string> {
    const calls: ToolCallPart[] = []
    // A call is stored before it runs: it never runs again, even if its process ends in the middle of it.
    const stop = this.#child.calls.wrap(async ({ call, request: { tool, input, caller } }, run) => {
      const isNew = caller === 'model' && !this.#conversation.hasCall(call)
      if (isNew && this.#store !== undefined) {
        calls.push({ type: 'tool-call', toolCallId: call, toolName: tool, input })
        const { messages } = this.#conversation.withCalls(calls)
        await this.#store.write(this.#child.session, messages)
      }
      await run()
    })
    try {
      while (this.#conversation.answer === null) {
        if (this.#conversation.openRequests.length === 0) yield* this.#run(signal)
        calls.length = 0
        if (this.#conversation.openRequests.length === 0) continue
        yield this.#now({ status: 'waiting', questions: this.#pending().map(({ id }) => id) })
        await this.#answered(signal)
        await this.store(this.#conversation.withAnswers(this.#child))
        yield this.#now({ status: 'working', questions: [] })
      }
    } finally {
      stop()
    }
    return this.#conversation.answer ?? ''
  }

  /** Runs the agent until it has answered, or asks a person. */
  async *#run(abortSignal: AbortSignal): AsyncGenerator<TaskProgress> {
    const given = this.#conversation.messages
    const result = await this.#agent.stream({ messages: [...given], abortSignal })
    let text = ''
    for await (const part of result.stream) {
      text = part.type === 'start-step' ? '' : part.type === 'text-delta' ? text + part.text : text
      const next = this.#after(part, text)
      if (next !== null) yield next
    }
    await this.store(new TaskConversation([...given, ...(await result.responseMessages)]))
  }

  /** Returns the progress after a part of the stream; null when it is the same. */
  #after(part: TextStreamPart<ToolSet>, text: string): TaskProgress | null {
    switch (part.type) {
      case 'tool-call': {
        const call = { call: part.toolCallId, tool: part.toolName }
        return this.#now({ calls: [...this.#progress.calls, call] })
      }
      case 'finish-step':
        return text === this.#progress.text ? null : this.#now({ text })
      case 'error':
        throw part.error
      default:
        return null
    }
  }

  #now(next: Partial<TaskProgress>): TaskProgress {
    this.#progress = { ...this.#progress, ...next }
    return this.#progress
  }

  /** The questions of the subagent itself that nobody has answered. */
  #pending() {
    const now = Date.now()
    return this.#child.state.confirmations.filter(
      ({ child, expiresAt }) => child === undefined && expiresAt > now,
    )
  }

  /** Waits until each question is answered or has expired. Answers in other processes count if the log reports them. */
  async #answered(signal: AbortSignal): Promise<void> {
    const unfollow = await this.#workspace.sessions.follow().catch(() => undefined)
    try {
      while (this.#pending().length > 0) {
        signal.throwIfAborted()
        const first = Math.min(...this.#pending().map(({ expiresAt }) => expiresAt))
        await this.#changed(first - Date.now(), signal)
      }
    } finally {
      await unfollow?.()
    }
  }

  /** Waits for a change of the questions, for this many milliseconds at most. */
  #changed(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.min(ms + 1, 2_147_483_647))
    const unsubscribe = this.#child.store.subscribe(() => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      unsubscribe()
    })
  }
}
