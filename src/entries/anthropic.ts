export {
  type AnthropicApi,
  type AnthropicApis,
  type AnthropicConversation,
  type AnthropicOptions,
  type AnthropicRequest,
  type AnthropicRunOptions,
  forAnthropic,
} from '../connections/wires/anthropic/for-anthropic.ts'
