export {
  forOpenAI,
  type OpenAIConversation,
  type OpenAIOptions,
  type OpenAIRequest,
  type OpenAIRunOptions,
  type ServerState,
} from '../connections/wires/openai/for-open-ai.ts'
export {
  type ChatConversation,
  type ChatRequest,
  type ChatRunOptions,
  forChatCompletions,
} from '../connections/wires/openai/for-chat-completions.ts'
