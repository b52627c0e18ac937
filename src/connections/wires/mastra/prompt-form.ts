import {
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type RunOptions,
  type WireTypes,
} from '../../../entries/adapter.ts'

/** A message of the prompt of a language model, as Mastra's models get it. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly PromptPart[]
}

/** The members of a part of a message that are read here. */
interface PromptPart {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: string }
}

/** A tool of a request. */
interface PromptTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/** A call of the model. */
export interface PromptCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** The tokens that a model counted for an answer. */
export interface PromptUsage {
  readonly inputTokens?: number | { readonly total?: number; readonly cacheRead?: number }
  readonly outputTokens?: number | { readonly total?: number }
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

/** The types of the prompt of a language model. */
export interface PromptWire extends WireTypes {
  item: PromptMessage
  request: { readonly tools: readonly PromptTool[]; readonly prompt: readonly PromptMessage[] }
  answer: { readonly usage?: PromptUsage | undefined; readonly calls: readonly PromptCall[] }
  tool: PromptTool
  options: ConversationOptions
  kept: undefined
  client: never
  run: RunOptions
}

type Form = ConversationForm<PromptWire>

/** The form of the prompt of a language model, whose provider writes the request. */
export const PROMPT_FORM: Form = {
  options: {},
  ways: [],
  refusals: [],
  hasWholeAnswers: true,
  pieces: splitResults,
  read: readPrompt,
  results: (results) => [
    {
      role: 'tool',
      content: results.map(({ id, name, text, isError }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: isError ? 'error-text' : 'text', value: text },
      })),
    },
  ],
  text: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  tool(tool) {
    const { name, description, parameters } = providerTool(tool, 'openai')
    return { type: 'function', name, description, inputSchema: parameters }
  },
  request: ({ step: { instructions }, tools, leading, messages }) => ({
    tools,
    prompt: [
      ...leading,
      ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions }]),
      ...messages,
    ],
  }),
  answer: ({ calls }) => ({
    status: 'done',
    calls,
    items: (sent) => {
      const content = sent.map(({ id, name, input }) => {
        return { type: 'tool-call', toolCallId: id, toolName: name, input }
      })
      return [{ role: 'assistant', content }]
    },
  }),
  usage({ usage }) {
    const { inputTokens: input, outputTokens: output, cachedInputTokens } = usage ?? {}
    const counted = typeof input === 'object' ? input.total : input
    const written = typeof output === 'object' ? output.total : output
    if (counted === undefined || written === undefined) return null
    const cached = typeof input === 'object' ? input.cacheRead : cachedInputTokens
    return { usage: { input: counted, output: written, ...(cached !== undefined && { cached }) } }
  },
}

/** Splits the results of one message. */
function splitResults(message: PromptMessage): readonly PromptMessage[] {
  const { role, content } = message
  if (role !== 'tool' || typeof content === 'string' || content.length < 2) return [message]
  return content.map((part) => ({ role, content: [part] }))
}

function readPrompt({ role, content }: PromptMessage): ReturnType<Form['read']> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const sent = { role, parts: parts.map(withoutMarks) }
  switch (role) {
    case 'assistant': {
      const calls = parts.flatMap(({ type, toolCallId: id = '', toolName: name = '', input }) =>
        type === 'tool-call' ? [{ id, name, input }] : [],
      )
      return { role, calls, sent }
    }
    case 'tool': {
      const [{ toolCallId: call = '', output } = { type: '' } as PromptPart] = parts
      return { role: 'results', result: { call, text: resultText(output) }, sent }
    }
    default:
      return { role, sent }
  }
}

/** Leaves out what the runtime notes on a part: no provider gets it. */
function withoutMarks(part: PromptPart & { readonly providerOptions?: object }): object {
  const { providerOptions: _, ...rest } = part
  return rest
}

/** Returns the text of a result. */
export function resultText(output: PromptPart['output']): string {
  const { value, reason } = output ?? {}
  return typeof value === 'string' ? value : (reason ?? JSON.stringify(value ?? null))
}
