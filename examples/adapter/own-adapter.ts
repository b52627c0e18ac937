import type { VirtualWorkspace } from 'loadout'
import { type Conversation, conversation, providerTool } from 'loadout/adapter'
import type { ConversationForm, ConversationOptions, RunOptions, WireTypes } from 'loadout/adapter'

interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** A message of the agent's own. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls?: readonly Call[]
  /** The call that a result belongs to. */
  readonly call?: string
}

export interface OwnWire extends WireTypes {
  item: Message
  request: {
    readonly system: string
    readonly tools: readonly object[]
    readonly messages: readonly Message[]
  }
  answer: { readonly text: string; readonly calls: readonly Call[]; readonly isCut?: boolean }
  tool: object
  options: ConversationOptions
  kept: undefined
  client: never
  run: RunOptions
}

/** How the messages of the API are read and written. It decides nothing and stores nothing. */
const FORM: ConversationForm<OwnWire> = {
  options: {},
  ways: [],
  refusals: [],
  hasWholeAnswers: true,
  read: ({ role, text, calls = [], call = '' }) =>
    role === 'tool'
      ? { role: 'results', result: { call, text } }
      : { role, calls: calls.map(({ id, tool, input }) => ({ id, name: tool, input })) },
  results: (results) => results.map(({ id, text }) => ({ role: 'tool', call: id, text })),
  text: (text) => ({ role: 'user', text }),
  tool: (tool) => providerTool(tool, 'openai'),
  request: ({ step, tools, leading, messages }) => ({
    system: step.instructions,
    tools,
    messages: [...leading, ...messages],
  }),
  answer: ({ text, calls, isCut = false }) => ({
    status: isCut ? 'cut' : 'done',
    calls: calls.map(({ id, tool, input }, at) => ({
      id,
      name: tool,
      input,
      isCut: isCut && at === calls.length - 1,
    })),
    items: (sent) => [
      {
        role: 'assistant',
        text,
        calls: sent.map(({ id, name, input }) => ({ id, tool: name, input })),
      },
    ],
  }),
}

/** Connects an open workspace to the API. */
export function ownAdapter(workspace: VirtualWorkspace): Conversation<OwnWire> {
  return conversation(workspace, { provider: 'openai', form: FORM })
}
