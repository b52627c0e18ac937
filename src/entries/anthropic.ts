export {
  type AnthropicConversation,
  forAnthropic,
} from '../connections/wires/anthropic/for-anthropic.ts'
export type {
  AnthropicApi,
  AnthropicApis,
  AnthropicOptions,
  AnthropicRequest,
  AnthropicRunOptions,
} from '../connections/wires/anthropic/anthropic-wire.ts'
