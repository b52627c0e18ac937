export {
  type AiSdkCallSettings,
  type AiSdkManyOptions,
  type AiSdkSettings,
  forAiSdk,
  type NamedTools,
  type ToolsOf,
} from '../adapters/ai-sdk/for-ai-sdk.ts'
export type { AiSdkOptions } from '../adapters/ai-sdk/ai-sdk-options.ts'
export type { TrimOptions } from '../workspace/offer/conversation/trim-history.ts'
export { CallFailedError } from '../adapters/ai-sdk/call-failed-error.ts'
export { answerApprovals } from '../adapters/ai-sdk/answer-approvals.ts'
export {
  type WorkspaceData,
  type WorkspaceDataParts,
  type WorkspacePart,
  workspacePart,
} from '../adapters/ai-sdk/workspace-part.ts'
export { type AiSdkSearch, searchForAiSdk } from '../adapters/ai-sdk/search-for-ai-sdk.ts'

export {
  type AiSdkEmbedderOptions,
  embedderFromAiSdk,
} from '../adapters/embeddings/embedder-from-ai-sdk.ts'
export {
  type TaskMessages,
  type TaskProgress,
  taskTool,
  type TaskToolOptions,
} from '../adapters/ai-sdk/task-tool.ts'
