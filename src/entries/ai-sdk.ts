export { forAiSdk } from '../adapters/ai-sdk/for-ai-sdk.ts'
export type {
  AiSdkCallSettings,
  AiSdkManyOptions,
  AiSdkSettings,
} from '../adapters/ai-sdk/for-ai-sdk.ts'
export type { AiSdkOptions } from '../adapters/ai-sdk/ai-sdk-options.ts'
export type { TrimOptions } from '../adapters/ai-sdk/trim-messages.ts'
export { answerApprovals } from '../adapters/ai-sdk/answer-approvals.ts'
export { searchForAiSdk } from '../adapters/ai-sdk/search-for-ai-sdk.ts'
export type { AiSdkSearch } from '../adapters/ai-sdk/search-for-ai-sdk.ts'

export { embedderFromAiSdk } from '../adapters/embeddings/embedder-from-ai-sdk.ts'
export type { AiSdkEmbedderOptions } from '../adapters/embeddings/embedder-from-ai-sdk.ts'
export type { ByPurpose, EmbedderOptions } from '../adapters/embeddings/embedder-options.ts'
