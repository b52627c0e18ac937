import {
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type ProviderTools,
  type RunOptions,
  type WireTypes,
} from '../../../entries/adapter.ts'

/** The members of an item of the Agents SDK that are read here. */
export interface AgentItem {
  readonly type?: string
  readonly role?: 'user' | 'assistant' | 'system'
  readonly callId?: string
  readonly name?: string
  readonly namespace?: string
  readonly arguments?: string
  readonly content?: unknown
  readonly output?: unknown
}

/** A call of the model. */
export interface AgentCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** The parts of a request to a model that come from the workspace. */
interface AgentRequest {
  readonly system: string
  readonly tools: readonly ProviderTools['openai'][]
  readonly input: AgentItem[]
}

/** An answer of the model: its tokens, or a call that the runner makes. */
interface AgentAnswer {
  readonly id?: string | undefined
  readonly usage?: AgentUsage | undefined
  readonly calls: readonly AgentCall[]
}

/** The tokens that a model counted for an answer. */
export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly inputTokensDetails?: readonly Readonly<Record<string, number>>[]
  readonly outputTokensDetails?: readonly Readonly<Record<string, number>>[]
}

/** The types of the Agents SDK. */
export interface AgentsWire extends WireTypes {
  item: AgentItem
  request: AgentRequest
  answer: AgentAnswer
  tool: ProviderTools['openai']
  options: ConversationOptions
  kept: undefined
  client: never
  run: RunOptions
}

type Form = ConversationForm<AgentsWire>

/** The form of the items of the Agents SDK. */
export const AGENTS_FORM: Form = {
  options: {},
  ways: [],
  refusals: [],
  // Each call of an answer is an item.
  hasWholeAnswers: false,
  read: readItem,
  results: (results) =>
    results.map(({ id, name, text }) => {
      const output = { type: 'text', text }
      return { type: 'function_call_result', callId: id, name, status: 'completed', output }
    }),
  text: (content) => ({ type: 'message', role: 'user', content }),
  tool: (tool) => providerTool(tool, 'openai'),
  request: ({ step, tools, leading, messages }) => ({
    system: step.instructions,
    tools,
    input: [...leading, ...messages],
  }),
  answer: ({ calls }) => ({
    status: 'done',
    calls,
    items: (sent) =>
      sent.map(({ id, name, text }) => {
        return { type: 'function_call', callId: id, name, arguments: text }
      }),
  }),
  usage({ id, usage }) {
    if (usage === undefined) return null
    const [input = {}] = usage.inputTokensDetails ?? []
    const [output = {}] = usage.outputTokensDetails ?? []
    const { cached_tokens: cached, cache_write_tokens: written } = input
    const { reasoning_tokens: reasoning } = output
    return {
      ...(id !== undefined && { id }),
      usage: {
        input: usage.inputTokens,
        ...(cached !== undefined && { cached }),
        ...(written !== undefined && { written }),
        output: usage.outputTokens,
        ...(reasoning !== undefined && { reasoning }),
      },
    }
  },
}

function readItem(item: AgentItem): ReturnType<Form['read']> {
  const { type = 'message', role = 'assistant', callId = '', name = '', namespace } = item
  switch (type) {
    case 'message':
      return { role, sent: { type, role, content: item.content } }
    case 'function_call': {
      const input = item.arguments
      const call = { id: callId, name, ...(namespace !== undefined && { namespace }), input }
      return { role: 'assistant', calls: [call], sent: { type, ...call } }
    }
    case 'function_call_result': {
      const { output } = item
      return {
        role: 'results',
        result: { call: callId, text: outputText(output) },
        sent: { type, callId, output },
      }
    }
    default:
      return { role: /_(?:output|result)$/.test(type) ? 'results' : 'assistant' }
  }
}

/** Returns the first text of a result. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  const [first = output] = Array.isArray(output) ? output : []
  return String((first as { readonly text?: unknown } | undefined)?.text ?? '')
}
