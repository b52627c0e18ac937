export {
  forOpenAI,
  type OpenAIConversation,
  type OpenAIOptions,
  type OpenAIRequest,
  type OpenAIRunOptions,
  type ServerState,
} from '../adapters/openai/for-open-ai.ts'
export {
  type ChatConversation,
  type ChatRequest,
  type ChatRunOptions,
  forChatCompletions,
} from '../adapters/openai/for-chat-completions.ts'
