export { forOpenAI, type OpenAIConversation } from '../connections/wires/openai/for-open-ai.ts'
export type {
  OpenAIOptions,
  OpenAIRequest,
  OpenAIRunOptions,
  ServerState,
} from '../connections/wires/openai/responses-items.ts'
export {
  type ChatConversation,
  forChatCompletions,
} from '../connections/wires/openai/for-chat-completions.ts'
export type { ChatRequest, ChatRunOptions } from '../connections/wires/openai/chat-messages.ts'
