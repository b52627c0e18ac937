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
export type { ConversationOptions } from '../workspace/model-conversation.ts'
export type {
  Answered,
  AnswerStatus,
  ConversationRun,
  RunOptions,
} from '../workspace/run-conversation.ts'
export type { AnsweredCall, AnswerOptions, WaitingCall } from '../workspace/calls/call-answers.ts'
