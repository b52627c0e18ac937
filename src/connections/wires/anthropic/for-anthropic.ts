import type { Beta } from '@anthropic-ai/sdk/resources/beta/beta'
import { type Conversation, conversation, type ConversationForm } from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import type {
  AnthropicApi,
  AnthropicApis,
  AnthropicOptions,
  AnthropicWire,
} from './anthropic-wire.ts'
import { readAnswer, readUsage, resultsMessage } from './read-answer.ts'
import { readPiece, splitMessage, writeGroup } from './read-piece.ts'
import { countMarks, customTool, toolChanges, writeRequest } from './write-request.ts'

/** A workspace in the form of the Messages API. */
export type AnthropicConversation<Api extends AnthropicApi = 'beta'> = Conversation<
  AnthropicWire<Api>
>

const FORM: ConversationForm<AnthropicWire> = {
  options: {
    api: ['beta', 'stable'],
    model: 'text',
    system: 'text',
    tools: 'list',
    cache: ['5m', '1h', false],
    diagnostics: 'switch',
  },
  ways: ['deferred', 'additions', 'removals'],
  refusals: [
    {
      ways: ['additions', 'removals'],
      words:
        /tool_addition|tool_removal|tool_definition|inline-tools|mid-conversation|role .?system/u,
    },
    { ways: ['deferred'], words: /defer_loading|tool_reference\b/u },
  ],
  hasWholeAnswers: true,
  continuesAnswers: true,
  pieces: splitMessage,
  read: readPiece,
  results: resultsMessage,
  text: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  tool: customTool,
  toolChange: toolChanges,
  group: writeGroup,
  request: writeRequest,
  answer: readAnswer,
  usage: readUsage,
  isUnmarked: ({ system, tools, messages }) => countMarks([system, tools, messages]) === 0,
  open(client, { messages, signal, onEvent, betas: own = [], ...params }) {
    const { messages: api } = ('beta' in client ? client.beta : client) as Pick<Beta, 'messages'>
    return {
      history: messages,
      send(request) {
        const betas = [...own, ...(request.betas ?? [])]
        const body = {
          ...params,
          ...request,
          ...(betas.length > 0 && { betas }),
        } as AnthropicApis['beta']['params']
        return onEvent === undefined
          ? api.create(body, { signal })
          : api.stream(body, { signal }).on('streamEvent', onEvent).finalMessage()
      },
    }
  },
}

const STABLE: ConversationForm<AnthropicWire> = { ...FORM, ways: ['deferred'] }

/**
 * Connects a workspace to Anthropic's Messages API. Make one object for each workspace and use it as long as the
 * workspace is open. Nothing of the SDK is loaded.
 *
 *     const request = await anthropic.next(messages)
 *     const message = await client.beta.messages.create({ model, max_tokens: 4096, ...request })
 */
export function forAnthropic<Api extends AnthropicApi = 'beta'>(
  workspace: VirtualWorkspace,
  options: AnthropicOptions<Api> = {},
): AnthropicConversation<Api> {
  const form = (options?.api === 'stable' ? STABLE : FORM) as unknown as ConversationForm<
    AnthropicWire<Api>
  >
  return conversation(workspace, { provider: 'anthropic', form, options })
}
