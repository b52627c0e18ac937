export { WorkspaceError } from '../kernel/workspace-error.ts'
export type { Diagnostic, Severity } from '../kernel/diagnostic.ts'
export type { JsonSchema, JsonValue } from '../kernel/json-value.ts'
export type { ContentHash } from '../kernel/content-hash.ts'
export { createRedactor, type Redactor } from '../kernel/redactor.ts'
export { type RedactionRules, SECRET_KEYS, SECRET_PREFIXES } from '../kernel/redaction-rules.ts'
export type { TokenCounter } from '../kernel/token-counter.ts'

export { defineTool, type ToolFields } from '../tools/define-tool.ts'
export { bindTool, toolDefinition } from '../tools/definition/make-tool.ts'
export { defineToolset, type Toolset, type ToolsetSpec } from '../tools/define-toolset.ts'
export { defineRules, type RulesSpec, type TopicRules } from '../tools/define-rules.ts'
export {
  type AiSdkTool,
  type AiSdkToolDefaults,
  toolsFromAiSdk,
} from '../tools/tools-from-ai-sdk.ts'
export { argumentsFromStrict } from '../tools/provider-schema/arguments-from-strict.ts'
export {
  type Provider,
  providerSchema,
  type ProviderSchema,
  providerTool,
} from '../tools/provider-schema/provider-schema.ts'
export type { LossKind, SchemaLoss } from '../tools/provider-schema/schema-loss.ts'
export { ErrorType, ToolError } from '../tools/response/error-type.ts'
export { type Intent, type IntentMoment, IntentType } from '../tools/intents/intent.ts'
export { defineIntent, type IntentDefinition } from '../tools/intents/define-intent.ts'
export {
  fail,
  type HandlerOutcome,
  type ResponseError,
  succeed,
  type ToolFailure,
  type ToolResponse,
  type ToolSuccess,
} from '../tools/response/tool-response.ts'
export type {
  RiskLevel,
  Tool,
  ToolCategory,
  ToolDefinition,
  ToolGuidance,
} from '../tools/definition/tool.ts'
export type {
  Caller,
  CallOutput,
  NestedCallOptions,
  OnCallOutput,
  Principal,
  RunningCall,
  ToolContext,
} from '../tools/definition/tool-context.ts'

export {
  defineSkill,
  type InlineFile,
  type SkillDefinition,
} from '../skills/definition/define-skill.ts'
export {
  type Agent,
  type AgentDefinition,
  defineAgent,
  type OnFound,
} from '../skills/definition/define-agent.ts'
export { SkillManager, type SkillToolState } from '../skills/skill-manager.ts'
export type { Lifetime } from '../skills/definition/lifetime.ts'
export type {
  OnConflict,
  Skill,
  SkillFile,
  SkillHook,
  SkillHookContext,
} from '../skills/definition/skill.ts'

export {
  type ComponentSpec,
  type ComponentToolContext,
  defineComponent,
  type Panel,
  type ToolComponent,
} from '../components/define-component.ts'

export { type CatalogInput, createCatalog } from '../catalog/create/create-catalog.ts'
export type { Catalog, SkillTool } from '../catalog/create/catalog.ts'

export {
  catalogFromManifest,
  type FromManifestOptions,
} from '../catalog/manifest/catalog-from-manifest.ts'
export { manifestText } from '../catalog/manifest/manifest-text.ts'
export { manifestCounter } from '../catalog/manifest/manifest-counter.ts'
export type {
  Manifest,
  ManifestSkill,
  ManifestTool,
  ManifestToolset,
  ProviderForm,
  TokenCounts,
} from '../catalog/manifest/manifest.ts'
export { diffCatalogs } from '../catalog/diff-catalogs.ts'
export type { DefinitionChange, FieldChange, JsonChange } from '../catalog/diff-fields.ts'
export {
  type FileDrift,
  type Lock,
  lockDrift,
  type LockedFile,
  type LockedResource,
  type LockedSkill,
} from '../catalog/lock.ts'

export { ToolSource } from '../engine/model/source-event.ts'
export type { Cause } from '../engine/model/cause.ts'
export { type ModeLimits, MODES, type ModeTable, type PromptTier } from '../engine/model/modes.ts'
export type { AllowedToolsEffect, PermissionRule, Policy, Rule } from '../engine/model/policy.ts'
export type { ApprovalScope } from '../engine/model/consent-event.ts'
export type {
  CallTokens,
  RemovalPrice,
  RequestChange,
  RequestSegment,
  StepCost,
} from '../engine/model/step-cost.ts'
export type { FoundKeeping, FoundTool } from '../engine/model/discovery-event.ts'
export type { MemoryEntity } from '../engine/model/memory-event.ts'
export type { ExtractionHealth, SessionHealth } from '../engine/explain/session-health.ts'
export type { IntentFailure, PendingIntent, SessionControls } from '../engine/model/intent-event.ts'
export type { Entry, WorkspaceEvent } from '../engine/model/workspace-event.ts'
export type { Explanation, Reason } from '../engine/explain/explanation.ts'
export type { SkillListing } from '../engine/standing/list-skills.ts'
export type { ToolListing } from '../engine/standing/list-tools.ts'
export type { WorkspaceState } from '../engine/model/workspace-state.ts'
export type { SkillStatus } from '../engine/standing/assess-skill.ts'
export type { ToolStatus } from '../engine/standing/tool-status.ts'
export type { ToolDifference } from '../engine/standing/tool-table.ts'

export type { PromptDocument, PromptSection } from '../render/prompt/document/prompt-document.ts'
export type {
  PromptLedger,
  RemovalEstimate,
  SentToolPrice,
  StepLedger,
} from '../render/prompt/ledger/prompt-ledger.ts'
export type { PromptFormat } from '../render/prompt/forms/write-prompt.ts'
export { diffDocuments, type DocumentDiff } from '../render/prompt/diff-documents.ts'

export {
  type ApprovalStore,
  type ApprovedTool,
  createMemoryApprovals,
} from '../workspace/calls/approval-store.ts'
export { type ForkedSession, type ForkRequest, forkSession } from '../workspace/log/fork-session.ts'
export { type Replay, replaySession } from '../workspace/log/replay-session.ts'
export { entryHash } from '../workspace/log/stored-entry.ts'
export { createMemoryLog, type MemoryLog } from '../workspace/log/memory-log.ts'
export {
  type ControlledSession,
  type IntentHandler,
  StateController,
  type StateControllerOptions,
} from '../workspace/calls/intents/state-controller.ts'
export type {
  ScriptRequest,
  ScriptRun,
  ScriptRunner,
} from '../workspace/offer/meta-tools/script-runner.ts'
export { collectMetrics } from '../workspace/calls/session-metrics.ts'
export type {
  CallMetrics,
  Durations,
  SessionMetrics,
  ToolMetrics,
} from '../workspace/calls/session-metrics.ts'
export { type Clock, type Randomness, systemClock } from '../workspace/log/clock.ts'
export { META_TOOL_NAMES, type MetaToolName } from '../workspace/offer/meta-tools/meta-tool-name.ts'
export type { EventLog, SessionSummary } from '../workspace/log/event-log.ts'
export {
  type ExposureName,
  type ExposurePlan,
  type ExposureRequest,
  EXPOSURES,
  type ExposureStrategy,
} from '../workspace/offer/exposure/exposure-strategy.ts'
export type { DiscoveryOptions, LoopGuard } from '../workspace/offer/discovery/discovery-options.ts'
export type {
  Callable,
  PageSkill,
  PageTool,
  SearchPage,
} from '../workspace/offer/discovery/search-page.ts'
export {
  PROVIDER_FACTS as PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from '../workspace/offer/exposure/provider-facts.ts'
export {
  type ExposureChoice,
  type ExposureOutlook,
  type ExposurePrice,
  planExposure,
} from '../workspace/offer/exposure/plan-exposure.ts'
export {
  predictChange,
  type PredictedChange,
  type RequestImage,
  type RequestPart,
} from '../workspace/offer/exposure/price-step.ts'
export type { BackgroundResult } from '../engine/model/call-event.ts'
export type { CallReport } from '../workspace/calls/call-report.ts'
export type { CallLimits, CallOptions, CallProgress } from '../workspace/calls/call-request.ts'
export type { CommandOptions, Outcome, WorkspaceListener } from '../workspace/commands/outcome.ts'

export { VirtualWorkspace } from '../workspace/virtual-workspace.ts'
export type { ApproveOptions } from '../workspace/calls/approve.ts'
export type { RegistrationOptions } from '../workspace/open/registrations.ts'
export type { OpeningNotice } from '../workspace/open/opening-notice.ts'
export type {
  PromptRequest,
  WorkspaceLedger,
  WorkspacePrompt as PromptView,
} from '../workspace/offer/workspace-document.ts'
export type {
  StepPreview,
  StepRequest,
  StepSection,
  WorkspaceStep,
} from '../workspace/offer/begin-step.ts'
export type { CompactedFacts, Compaction } from '../workspace/offer/compact.ts'
export type { WorkspaceOptions } from '../workspace/open/workspace-options.ts'
