export {
  type AiSdkCallSettings,
  type AiSdkManyOptions,
  type AiSdkSettings,
  forAiSdk,
  type NamedTools,
  type ToolsOf,
} from '../connections/wires/ai-sdk/for-ai-sdk.ts'
export {
  type DurableAgentSettings,
  type DurableAnswer,
  type DurableQuestion,
  durableTurn,
  type DurableTurn,
  type DurableTurnOptions,
} from '../connections/wires/ai-sdk/durable-turn.ts'
export type { AiSdkOptions } from '../connections/wires/ai-sdk/ai-sdk-options.ts'
export type { TrimOptions } from '../workspace/offer/conversation/trim-history.ts'
export { CallFailedError } from '../connections/wires/ai-sdk/call-failed-error.ts'
export { answerApprovals } from '../connections/wires/ai-sdk/answer-approvals.ts'
export {
  type WorkspaceData,
  type WorkspaceDataParts,
  type WorkspacePart,
  workspacePart,
} from '../connections/wires/ai-sdk/workspace-part.ts'
export { type AiSdkSearch, searchForAiSdk } from '../connections/wires/ai-sdk/search-for-ai-sdk.ts'

export {
  type AiSdkEmbedderOptions,
  embedderFromAiSdk,
} from '../connections/wires/embeddings/embedder-from-ai-sdk.ts'
export {
  type TaskMessages,
  type TaskProgress,
  taskTool,
  type TaskToolOptions,
} from '../connections/wires/ai-sdk/task-tool.ts'
