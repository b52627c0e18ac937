import * as z from 'zod'
import {
  type Conversation,
  conversation,
  type ConversationOptions,
} from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf } from '../../../entries/kit.ts'
import { argumentsOf } from '../../../workspace/calls/call-answers.ts'
import { findConfirmation } from '../../../workspace/calls/find-confirmation.ts'
import { CONVERSATION_OPTIONS } from '../../../workspace/conversation/model-conversation.ts'
import {
  resultText,
  PROMPT_FORM,
  type PromptMessage,
  type PromptUsage,
  type PromptWire,
} from './prompt-form.ts'

/** Mastra's facts about a run. */
export interface MastraRun {
  readonly runId?: string | undefined
  /** The thread and the resource of its memory; absent without memory, and for an agent with `tools: processor.tools`. */
  readonly threadId?: string | undefined
  readonly resourceId?: string | undefined
  /** Mastra's `RequestContext`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a type of Mastra
  readonly requestContext?: any
}

/** Options of the processor. */
export interface MastraOptions extends ConversationOptions {
  /** Opens or finds the workspace of a run, once for each. It stays open: closing it is for the host. */
  open(run: MastraRun): VirtualWorkspace | Promise<VirtualWorkspace>
  /** Tools of Mastra that are always there, for an agent with `tools: processor.tools`. */
  readonly tools?: object
}

const OPTIONS: OptionsOf<MastraOptions> = {
  ...CONVERSATION_OPTIONS,
  open: 'function',
  tools: 'object',
}

/* oxlint-disable typescript/no-explicit-any -- types of Mastra, which has many versions */

/** An input processor of a Mastra agent. */
export interface LoadoutProcessor {
  readonly id: 'loadout'
  /**
   * For `tools` of the agent: with it, a run that waited for a person goes on in any process. Its own tools are
   * given to `loadoutProcessor`, then.
   */
  readonly tools: (run: any) => Promise<any>
  processInputStep(step: any): Promise<{ tools: Record<string, unknown>; model: any }>
}

/* oxlint-enable typescript/no-explicit-any */

/** The part of a step that is read or replaced. */
interface InputStep {
  readonly runId?: string
  readonly requestContext?: { get(key: string): unknown }
  readonly messages: readonly { readonly threadId?: string; readonly resourceId?: string }[]
  readonly tools?: Readonly<Record<string, unknown>>
  readonly model: object
}

/** The request of a model. */
interface ModelRequest {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly { readonly name: string }[]
}

/** Mastra's facts about a call. */
interface CallContext {
  readonly abortSignal?: AbortSignal
  readonly toolCallId?: string
}

/** A workspace in the conversation of one run. */
interface Session {
  readonly workspace: VirtualWorkspace
  readonly talk: Conversation<PromptWire>
  /** The questions that Mastra asked. */
  readonly asked: Set<string>
  /** The arguments of calls that are not JSON, by the id of each: Mastra makes them with no arguments. */
  readonly broken: Map<string, string>
}

/**
 * Makes an input processor of a Mastra agent: each request of the model has the tools and the prompt of a workspace
 * besides the agent's own, and each call of these tools passes the gate. Its questions suspend the run, as
 * `requireApproval` does.
 *
 *     const agent = new Agent({ id: 'desk', model, instructions, inputProcessors: [loadoutProcessor({ open })] })
 *
 * Throws `OPTIONS_INVALID` for other options.
 */
export function loadoutProcessor(options: MastraOptions): LoadoutProcessor {
  checkRecord(options, OPTIONS, 'open')
  const { open, tools: own = {}, ...talking } = options
  /** The sessions of runs, by the context that each has. */
  const sessions = new WeakMap<object, Promise<Session>>()
  const talks = new WeakMap<VirtualWorkspace, Session>()
  const start = async (run: MastraRun): Promise<Session> => {
    const workspace = await open(run)
    const parts = { provider: 'openai', form: PROMPT_FORM, options: talking } as const
    const session = talks.get(workspace) ?? {
      workspace,
      talk: conversation(workspace, parts),
      asked: new Set<string>(),
      broken: new Map<string, string>(),
    }
    talks.set(workspace, session)
    return session
  }
  const sessionAt = (run: MastraRun): Promise<Session> => {
    const key: object = run.requestContext ?? {}
    const opened = sessions.get(key) ?? start(run)
    sessions.set(key, opened)
    opened.catch(() => sessions.delete(key))
    return opened
  }
  return {
    id: 'loadout',
    tools: async ({ requestContext }: MastraRun) => {
      return { ...own, ...sessionTools(await sessionAt({ requestContext })) }
    },
    async processInputStep({ runId, requestContext, messages, tools = {}, model }: InputStep) {
      const { threadId, resourceId } = messages.at(-1) ?? {}
      const session = await sessionAt({ runId, threadId, resourceId, requestContext })
      const ours = sessionTools(session)
      return { tools: { ...tools, ...ours }, model: modelWithSession(model, session, ours) }
    },
  }
}

/** The gate checks the arguments. */
const ANY_ARGUMENTS = z.looseObject({})

/** Returns the tools of a session, which Mastra runs. What the model is sent is written with its request. */
function sessionTools(session: Session): Readonly<Record<string, object>> {
  const { workspace } = session
  const tools = workspace.tools().map(({ name }) => {
    const sent = workspace.calls.sentName(name, 'openai')
    const tool = {
      id: sent,
      description: name,
      inputSchema: ANY_ARGUMENTS,
      // Where Mastra itself puts the function of "requireApproval".
      needsApprovalFn: async (input: unknown) => {
        const question = await workspace.approvals.ask(name, input, { caller: 'model' })
        if (question !== null) session.asked.add(question)
        return question !== null
      },
      execute: (input: unknown, context?: CallContext) => answerCall(session, name, input, context),
    }
    return [sent, tool] as const
  })
  return Object.fromEntries(tools)
}

/** Makes a call. Mastra runs a tool that it asked about only after a yes, so a question that is open here has one. */
async function answerCall(
  { workspace, talk, asked, broken }: Session,
  name: string,
  input: unknown,
  { abortSignal: signal, toolCallId: id = '' }: CallContext = {},
): Promise<string> {
  const call = { id, name, input: broken.get(id) ?? input }
  const make = () => talk.answer({ calls: [call] }, { ...(signal && { signal }) })
  const first = await make()
  const [question] = first.waiting
  const isApproved = question !== undefined && asked.delete(question.confirmation)
  if (isApproved) await workspace.approve(question.confirmation)
  const { items } = isApproved ? await make() : first
  const [part] = items.find(({ role }) => role === 'tool')?.content ?? []
  return typeof part === 'object' ? resultText(part.output) : `"${name}" waits for a person.`
}

/** Records what a person refused: Mastra answers such calls itself. */
async function noteRejections({ workspace }: Session, prompt: readonly PromptMessage[]) {
  if (workspace.state.confirmations.length === 0) return
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  for (const { type, toolCallId, output } of parts) {
    const call = parts.find((one) => one.type === 'tool-call' && one.toolCallId === toolCallId)
    if (type !== 'tool-result' || call?.toolName === undefined) continue
    const open = findConfirmation(workspace, call.toolName, call.input)
    if (open?.consent === 'pending') {
      await workspace.deny(open.id, { reason: resultText(output) })
    }
  }
}

/** Returns the model of a step, whose request has the step of the session. */
function modelWithSession(model: object, session: Session, ours: object): object {
  const prepare = async (request: ModelRequest): Promise<ModelRequest> => {
    await noteRejections(session, request.prompt)
    const { tools, prompt } = await session.talk.next(request.prompt)
    const names = new Set(Object.keys(ours).flatMap((name) => [name, namedByMastra(name)]))
    const own = (request.tools ?? []).filter(({ name }) => !names.has(name))
    return { ...request, prompt, tools: [...own, ...tools] }
  }
  const report = (usage: PromptUsage | undefined) => session.talk.answer({ usage, calls: [] })
  const note = ({ type, toolCallId = '', input }: StreamPart) => {
    if (type !== 'tool-call') return
    if (typeof argumentsOf(input) === 'string') session.broken.set(toolCallId, String(input))
    else session.broken.delete(toolCallId)
  }
  const given = model as LanguageModel
  const methods: LanguageModel = {
    async doGenerate(request) {
      const answer = await given.doGenerate(await prepare(request))
      await report(answer.usage)
      answer.content.forEach(note)
      return answer
    },
    async doStream(request) {
      const { stream, ...others } = await given.doStream(await prepare(request))
      const counted = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          note(part)
          if (part.type === 'finish') await report(part.usage)
          controller.enqueue(part)
        },
      })
      return { ...others, stream: stream.pipeThrough(counted) }
    },
  }
  // Models of Mastra have private members, so that a copy of one does not work.
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate' || name === 'doStream') return methods[name]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Returns a name as Mastra writes it in requests, also of tools whose own name the provider takes. */
function namedByMastra(name: string): string {
  return (/^[A-Za-z_]/.test(name) ? name : `_${name}`).slice(0, 63)
}

/** A part of an answer. */
interface StreamPart {
  readonly type: string
  readonly toolCallId?: string
  readonly input?: unknown
  readonly usage?: PromptUsage
}

/** The methods of a language model. */
interface LanguageModel {
  doGenerate(
    request: ModelRequest,
  ): Promise<{ readonly usage?: PromptUsage; readonly content: readonly StreamPart[] }>
  doStream(request: ModelRequest): Promise<{ readonly stream: ReadableStream<StreamPart> }>
}
