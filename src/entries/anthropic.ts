export {
  type AnthropicApi,
  type AnthropicApis,
  type AnthropicConversation,
  type AnthropicOptions,
  type AnthropicRequest,
  type AnthropicRunOptions,
  forAnthropic,
} from '../adapters/anthropic/for-anthropic.ts'
