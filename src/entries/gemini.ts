export { forGemini, type GeminiConversation } from '../connections/wires/gemini/for-gemini.ts'
export type {
  GeminiClient,
  GeminiContent,
  GeminiOptions,
  GeminiPart,
  GeminiRequest,
  GeminiResponse,
  GeminiRunOptions,
} from '../connections/wires/gemini/gemini-wire.ts'
export { mergeChunks } from '../connections/wires/gemini/read-response.ts'
