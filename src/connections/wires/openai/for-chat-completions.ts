import {
  type Conversation,
  conversation,
  type ConversationOptions,
} from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { CHAT_MESSAGES, type ChatWire } from './chat-messages.ts'

/** A workspace in the form of Chat Completions. */
export type ChatConversation = Conversation<ChatWire>

/**
 * Connects a workspace to Chat Completions: of OpenAI, and of every server with the same protocol. Make one
 * object for each workspace and use it as long as the workspace is open. Nothing of the SDK is loaded.
 */
export function forChatCompletions(
  workspace: VirtualWorkspace,
  options: ConversationOptions = {},
): ChatConversation {
  return conversation(workspace, { provider: 'openai', form: CHAT_MESSAGES, options })
}
