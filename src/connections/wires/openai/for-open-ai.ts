import { type Conversation, conversation } from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import {
  type OpenAIOptions,
  RESPONSES_ITEMS,
  type ResponsesWire,
  STATELESS_ITEMS,
} from './responses-items.ts'

/** A workspace in the form of the Responses API. */
export type OpenAIConversation = Conversation<ResponsesWire>

/**
 * Connects a workspace to OpenAI's Responses API. Make one object for each workspace and use it as long as the
 * workspace is open. Nothing of the SDK is loaded.
 *
 *     const response = await client.responses.create(await openai.next(input))
 *     const { items, status } = await openai.answer(response)
 */
export function forOpenAI(
  workspace: VirtualWorkspace,
  options: OpenAIOptions = {},
): OpenAIConversation {
  const form = options?.store === false ? STATELESS_ITEMS : RESPONSES_ITEMS
  return conversation(workspace, { provider: 'openai', form, options })
}
