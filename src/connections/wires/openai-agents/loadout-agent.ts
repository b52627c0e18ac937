import {
  type Conversation,
  conversation,
  type ConversationOptions,
} from '../../../entries/adapter.ts'
import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf } from '../../../entries/kit.ts'
import { argumentsOf } from '../../../workspace/calls/call-answers.ts'
import { findConfirmation } from '../../../workspace/calls/find-confirmation.ts'
import { CONVERSATION_OPTIONS } from '../../../workspace/conversation/model-conversation.ts'
import {
  type AgentItem,
  AGENTS_FORM,
  type AgentsWire,
  type AgentUsage,
  outputText,
} from './agents-form.ts'

/** The members of a run's context that are used here. */
export interface AgentRun {
  /** The object that the host gave to `run`. */
  readonly context: unknown
  isToolApproved(approval: {
    readonly toolName: string
    readonly callId: string
  }): boolean | undefined
}

/** Options of `loadoutAgent`. */
export interface AgentOptions<Run = AgentRun> extends ConversationOptions {
  /**
   * Opens the session of a run, once for each. It is closed when the agent has its last answer, hands off, or its model
   * fails, and stays open while a person is asked: give it a log, so that another process can go on.
   */
  open(run: Run): VirtualWorkspace | Promise<VirtualWorkspace>
  /** The model of the agent; that of the agent, or of the SDK's default provider, when absent. */
  readonly model?: AgentModel
}

const OPTIONS: OptionsOf<AgentOptions> = {
  ...CONVERSATION_OPTIONS,
  open: 'function',
  model: 'object',
}

/* oxlint-disable typescript/no-explicit-any -- types of the SDK, which has many versions */

/** A model of the SDK. */
export interface AgentModel {
  getResponse(request: any): Promise<any>
  getStreamedResponse(request: any): AsyncIterable<any>
}

/** An agent of the SDK. */
interface SdkAgent {
  readonly model?: unknown
  clone(config: any): any
  getAllTools(run: any, ...others: any[]): Promise<any[]>
  on(event: 'agent_end' | 'agent_handoff', listener: (run: any) => void): unknown
}

/* oxlint-enable typescript/no-explicit-any */

/** The parts of a request to a model that are read or replaced. */
interface ModelRequest {
  readonly systemInstructions?: string
  readonly input: string | AgentItem[]
  readonly tools: readonly { readonly parameters?: object }[]
}

/** The answer of a model. */
interface ModelResponse {
  readonly responseId?: string
  readonly usage?: AgentUsage
}

/** A run, with the session that it has. */
interface Session {
  readonly run: AgentRun
  readonly workspace: VirtualWorkspace
  readonly talk: Conversation<AgentsWire>
}

/**
 * Returns an agent of the OpenAI Agents SDK whose requests have the tools and the prompt of a workspace besides its own,
 * and whose calls of these tools pass the gate. Its questions are interruptions of the run: `state.approve` and
 * `state.reject` answer them, in this process or in another one.
 *
 *     const desk = loadoutAgent(new Agent({ name: 'desk' }), { open: ({ context }) => openSession(context) })
 *     const result = await run(desk, 'I want my money back.', { context: { customer: 'ada' } })
 *
 * Throws `OPTIONS_INVALID` for other options. A model that is given to the runner goes around the workspace.
 */
export function loadoutAgent<Given extends { getAllTools(run: never): unknown }>(
  given: Given,
  options: AgentOptions<Parameters<Given['getAllTools']>[0]>,
): Given {
  const agent = given as unknown as SdkAgent
  checkRecord(options, OPTIONS, 'open')
  const { open, model = agent.model, ...talking } = options
  const sessions = new WeakMap<AgentRun, Promise<Session>>()
  /** The run of a request, by the schemas of its tools: a request does not say of which run it is. */
  const ofSchemas = new WeakMap<object, AgentRun>()
  const start = async (run: AgentRun): Promise<Session> => {
    const workspace = await open(run as never)
    const parts = { provider: 'openai', form: AGENTS_FORM, options: talking } as const
    return { run, workspace, talk: conversation(workspace, parts) }
  }
  const sessionAt = (run: AgentRun): Promise<Session> => {
    const session = sessions.get(run) ?? start(run)
    sessions.set(run, session)
    session.catch(() => sessions.delete(run))
    return session
  }
  const end = async (run: AgentRun) => {
    const session = await sessions.get(run)
    sessions.delete(run)
    await session?.workspace.close()
  }
  const findRun = ({ tools }: Pick<ModelRequest, 'tools'>) =>
    tools.map(({ parameters = {} }) => ofSchemas.get(parameters)).find((one) => one !== undefined)
  const made: SdkAgent = agent.clone({
    model: modelWithSession(model, { findRun, sessionAt, end }),
  })
  const ownTools = made.getAllTools.bind(made)
  made.getAllTools = async (run: AgentRun, ...others: unknown[]) => {
    const tools = sessionTools(await sessionAt(run), () => sessionAt(run))
    for (const { parameters } of tools) ofSchemas.set(parameters, run)
    return [...(await ownTools(run, ...others)), ...tools]
  }
  made.on('agent_end', end)
  made.on('agent_handoff', end)
  return made as unknown as Given
}

/** Returns the tools of a session in the form of the SDK, which calls them by these objects. */
function sessionTools({ workspace }: Session, current: () => Promise<Session>) {
  return workspace.tools().map(({ name }) => ({
    type: 'function' as const,
    name: workspace.calls.sentName(name, 'openai'),
    // What the model is sent is written with its request.
    description: name,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    strict: false,
    isEnabled: async () => true,
    needsApproval: async (_: unknown, input: unknown, call?: string) => {
      const options = { caller: 'model', ...(call !== undefined && { call }) } as const
      return (await (await current()).workspace.approvals.ask(name, input, options)) !== null
    },
    invoke: async (_: unknown, text: string, details?: CallDetails) =>
      answerCall(await current(), name, text, details),
  }))
}

/** The runner's facts about a call. */
interface CallDetails {
  readonly toolCall?: { readonly callId: string; readonly name: string }
  readonly signal?: AbortSignal
}

/** Makes a call that the runner has approved, if it asked. */
async function answerCall(
  { run, workspace, talk }: Session,
  tool: string,
  input: string,
  { toolCall, signal }: CallDetails = {},
): Promise<string> {
  const { callId: id = '', name = tool } = toolCall ?? {}
  const make = () => talk.answer({ calls: [{ id, name, input }] }, { ...(signal && { signal }) })
  const first = await make()
  const [question] = first.waiting
  const isApproved = question && run.isToolApproved({ toolName: name, callId: id }) === true
  if (isApproved) await workspace.approve(question.confirmation)
  const { items } = isApproved ? await make() : first
  const result = items.find(({ type }) => type === 'function_call_result')
  return result === undefined
    ? `"${tool}" waits for an answer of a person.`
    : outputText(result.output)
}

/** Records what a person refused: the runner answers such calls itself. */
async function noteRejections({ run, workspace }: Session, input: readonly AgentItem[]) {
  const calls = new Map(
    input.flatMap((item) => (item.type === 'function_call' ? [[item.callId, item]] : [])),
  )
  for (const { type, callId = '', output } of input) {
    const call = type === 'function_call_result' ? calls.get(callId) : undefined
    if (call?.name === undefined) continue
    if (run.isToolApproved({ toolName: call.name, callId }) !== false) continue
    const given = argumentsOf(call.arguments)
    const consent = findConfirmation(workspace, call.name, given)?.consent ?? 'pending'
    if (consent !== 'pending') continue
    // A question that has expired is asked again: this is its answer.
    const options = { caller: 'model', call: callId } as const
    const open = await workspace.approvals.ask(call.name, given, options)
    if (open !== null) await workspace.deny(open, { reason: outputText(output) })
  }
}

/** The runs of an agent. */
interface Runs {
  /** Returns the run of a request; undefined for one without tools of a session. */
  findRun(request: Pick<ModelRequest, 'tools'>): AgentRun | undefined
  sessionAt(run: AgentRun): Promise<Session>
  /** Closes the session of a run. The same run opens it again. */
  end(run: AgentRun): Promise<void>
}

/** Returns a model whose requests have the step of a session. Requests without a session are passed on unchanged. */
function modelWithSession(model: unknown, { findRun, sessionAt, end }: Runs): AgentModel {
  const prepare = async (request: ModelRequest): Promise<object> => {
    const run = findRun(request)
    if (run === undefined) return request
    const session = await sessionAt(run)
    const items: AgentItem[] =
      typeof request.input === 'string'
        ? [{ type: 'message', role: 'user', content: request.input }]
        : request.input
    await noteRejections(session, items)
    const { system, tools, input } = await session.talk.next(items)
    const own = request.tools.filter((tool) => findRun({ tools: [tool] }) === undefined)
    const instructions = [request.systemInstructions ?? '', system].filter((text) => text !== '')
    return {
      ...request,
      systemInstructions: instructions.join('\n\n'),
      input,
      tools: [...own, ...tools],
    }
  }
  const report = async (request: ModelRequest, { responseId: id, usage }: ModelResponse) => {
    const run = findRun(request)
    if (run !== undefined) await (await sessionAt(run)).talk.answer({ id, usage, calls: [] })
  }
  const failed = async (request: ModelRequest) => {
    const run = findRun(request)
    if (run !== undefined) await end(run)
  }
  return {
    async getResponse(request: ModelRequest) {
      try {
        const response = await (await resolved(model)).getResponse(await prepare(request))
        await report(request, response)
        return response
      } catch (thrown) {
        await failed(request)
        throw thrown
      }
    },
    async *getStreamedResponse(request: ModelRequest) {
      let isDone = false
      try {
        const sent = await prepare(request)
        for await (const event of (await resolved(model)).getStreamedResponse(sent)) {
          if (event.type === 'response_done') {
            await report(request, { responseId: event.response.id, usage: event.response.usage })
            isDone = true
          }
          yield event
        }
      } finally {
        if (!isDone) await failed(request)
      }
    },
  }
}

/** Returns a model, or that of a name, of the provider that the SDK uses by default. */
async function resolved(model: unknown): Promise<AgentModel> {
  if (typeof model === 'object' && model !== null) return model as AgentModel
  // @ts-expect-error -- The application installs it, and has one copy.
  const { getDefaultModelProvider } = await import('@openai/agents')
  const found = await getDefaultModelProvider().getModel(model || undefined)
  if (found !== undefined) return found
  throw new WorkspaceError('OPTIONS_INVALID', 'The agent has no model.', {
    facts: { option: 'model' },
    hint: 'Give one: loadoutAgent(agent, { open, model }).',
  })
}
