export type { CallPreview } from '../tools/definition/tool.ts'
export type {
  CallClient,
  ClientRoot,
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '../tools/definition/call-client.ts'
export { argumentsFromStrict } from '../schema/provider-forms/arguments-from-strict.ts'
export { ownName, providerName } from '../schema/provider-forms/provider-name.ts'
export {
  type Provider,
  providerSchema,
  type ProviderSchema,
} from '../schema/provider-forms/provider-schema.ts'
export { providerTool, type ProviderTools } from '../tools/definition/provider-tool.ts'
export type { SchemaLoss } from '../schema/provider-forms/schema-loss.ts'
export { type ContentPart, describePart, partText } from '../tools/response/content-part.ts'
export type { RequestSegment } from '../engine/model/step-cost.ts'
export { META_TOOL_NAMES } from '../workspace/offer/meta-tools/meta-tool-name.ts'
export {
  type ExposurePlan,
  type ExposureRequest,
  EXPOSURES,
  type ExposureStrategy,
} from '../workspace/offer/exposure/exposure-strategy.ts'
export {
  type GivenProvider,
  PROVIDER_FACTS,
  type ProviderFacts,
} from '../workspace/offer/exposure/provider-facts.ts'
export {
  type HistoryMessage,
  type HistoryResult,
  skillInResult,
  toolsInResult,
  type StepMessage,
  type ToolAddition,
  type ToolChangeMessage,
} from '../workspace/offer/conversation/history-message.ts'
export {
  type Carried,
  type ExposureChoice,
  type ExposureOutlook,
  planExposure,
} from '../workspace/offer/exposure/plan-exposure.ts'
export {
  predictChange,
  type PredictedChange,
  type RequestImage,
  type RequestPart,
} from '../workspace/offer/exposure/predict-change.ts'
export type { CallWrapper, WrappedCall } from '../workspace/calls/request/call-wrapper.ts'
export type { StepSection } from '../workspace/offer/workspace-step.ts'
export type { Parsed } from '../schema/interpreter/schema-source.ts'
export {
  /** @deprecated Import it from `loadout/log`. */
  type PruneReport,
  /** @deprecated Import it from `loadout/log`. */
  type PruneRequest,
  /** @deprecated Import it from `loadout/log`. */
  type SessionPage,
  /** @deprecated Import it from `loadout/log`. */
  type SessionSummary,
} from '../workspace/log/event-log.ts'
export { redactDraft } from '../workspace/log/redact-draft.ts'
export {
  matchesDefinitionHash,
  referencedDefinitions,
} from '../workspace/log/referenced-definitions.ts'
export {
  /** @deprecated Import it from `loadout/log`. */
  entryHash,
} from '../workspace/log/stored-entry.ts'
export type { StepRun } from '../engine/model/step-call.ts'
export type { ConversationOptions } from '../workspace/conversation/model-conversation.ts'
export {
  type Answered,
  type AnswerStatus,
  type Conversation,
  conversation,
  type ConversationRun,
} from '../workspace/conversation/conversation.ts'
export type {
  ConversationForm,
  ReadAnswer,
  RunOptions,
  WireTypes,
} from '../workspace/conversation/conversation-form.ts'
export type { AnsweredCall, AnswerOptions, WaitingCall } from '../workspace/calls/call-answers.ts'
export {
  ConnectionLost,
  type ServerConnection,
  type ServerHost,
} from '../tools/definition/tool-server.ts'
