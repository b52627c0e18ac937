import {
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type ProviderTools,
  type RunOptions,
  type WireTypes,
} from '../../../entries/adapter.ts'

/** The members of a message of LangChain that are read here. */
export interface LangChainMessage {
  readonly id?: string
  readonly content: string | readonly object[]
  readonly text: string
  getType(): string
}

/** An answer of the model. */
export interface ModelMessage extends LangChainMessage {
  readonly tool_calls?: readonly LangChainCall[]
  readonly usage_metadata?: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly input_token_details?: {
      readonly cache_read?: number
      readonly cache_creation?: number
    }
    readonly output_token_details?: { readonly reasoning?: number }
  }
}

/** The result of a call. */
export interface ResultMessage extends LangChainMessage {
  readonly tool_call_id: string
  readonly status?: 'success' | 'error'
  readonly artifact?: unknown
}

/** The classes of messages, of which the application has a copy. */
export interface MessageClasses {
  readonly AIMessage: new (fields: object | string) => ModelMessage
  readonly HumanMessage: new (content: string) => LangChainMessage
  readonly ToolMessage: new (fields: object) => ResultMessage
}

/** The parts of a model's request that come from the workspace. */
interface LangChainRequest {
  readonly system: string
  readonly tools: readonly ProviderTools['openai-chat'][]
  readonly messages: LangChainMessage[]
}

/** An answer of the model, with those of its calls that are to be made. */
interface LangChainAnswer {
  readonly message: ModelMessage
  readonly calls: readonly LangChainCall[]
}

/** A call as LangChain has it. */
export interface LangChainCall {
  readonly id?: string
  readonly name: string
  readonly args: Record<string, unknown>
}

/** The types of LangChain's messages. */
export interface LangChainWire extends WireTypes {
  item: LangChainMessage
  request: LangChainRequest
  answer: LangChainAnswer
  tool: ProviderTools['openai-chat']
  options: ConversationOptions
  kept: undefined
  client: never
  run: RunOptions
}

type Form = ConversationForm<LangChainWire>

/**
 * Returns the form of LangChain's messages. Its tools are in the form of Chat Completions, which LangChain converts for
 * every provider.
 */
export function langChainForm({ AIMessage, HumanMessage, ToolMessage }: MessageClasses): Form {
  return {
    options: {},
    ways: [],
    refusals: [],
    hasWholeAnswers: true,
    read: readMessage,
    results: (results) =>
      results.map(({ id, name, text, isError }) => {
        const status = isError ? 'error' : 'success'
        return new ToolMessage({ name, content: text, tool_call_id: id, status })
      }),
    text: (text) => new HumanMessage(text),
    tool: (tool) => providerTool(tool, 'openai-chat'),
    request: ({ step, tools, leading, messages }) => ({
      system: step.instructions,
      tools,
      messages: [...leading, ...messages],
    }),
    answer: ({ message, calls }) => ({
      status: 'done',
      calls: calls.map(({ id, name, args }) => ({ id, name, input: args })),
      items: (sent) => {
        const tool_calls = sent.map(({ id, name, input }) => ({ id, name, args: { ...input } }))
        return [new AIMessage({ content: message.content, tool_calls })]
      },
    }),
    usage: readUsage,
  }
}

function readMessage(message: LangChainMessage): ReturnType<Form['read']> {
  const { content } = message
  const type = message.getType()
  switch (type) {
    case 'system':
    case 'developer':
      return { role: 'system', sent: { type, content } }
    case 'ai': {
      const made = (message as ModelMessage).tool_calls ?? []
      const calls = made.map(({ id = '', name, args }) => ({ id, name, input: args }))
      return { role: 'assistant', calls, sent: { type, content, calls } }
    }
    case 'tool': {
      const { tool_call_id: call } = message as ResultMessage
      return {
        role: 'results',
        result: { call, text: message.text },
        sent: { type, call, content },
      }
    }
    default:
      return { role: 'user', sent: { type, content } }
  }
}

/** Reads the tokens of an answer. */
function readUsage({
  message: { id, usage_metadata: usage },
}: LangChainAnswer): ReturnType<NonNullable<Form['usage']>> {
  if (usage === undefined) return null
  const { cache_read: cached, cache_creation: written } = usage.input_token_details ?? {}
  const { reasoning } = usage.output_token_details ?? {}
  return {
    ...(id !== undefined && { id }),
    usage: {
      input: usage.input_tokens,
      ...(cached !== undefined && { cached }),
      ...(written !== undefined && { written }),
      output: usage.output_tokens,
      ...(reasoning !== undefined && { reasoning }),
    },
  }
}
