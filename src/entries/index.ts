export { WorkspaceError } from '../kernel/workspace-error.ts'
export type { Diagnostic, Severity } from '../kernel/diagnostic.ts'
export type { JsonSchema, JsonValue } from '../kernel/json.ts'
export type { ContentHash } from '../kernel/content-hash.ts'
export { createRedactor } from '../kernel/create-redactor.ts'
export { type RedactionRules, SECRET_KEYS, SECRET_PREFIXES } from '../kernel/redaction-rules.ts'
export type { Redactor } from '../kernel/redactor.ts'
export type { TokenCounter } from '../kernel/token-counter.ts'

export { defineTool } from '../tools/define-tool.ts'
export { bindTool } from '../tools/definition/bind-tool.ts'
export { defineToolset, type ToolsetSpec } from '../tools/define-toolset.ts'
export { defineRules, type RulesSpec } from '../tools/define-rules.ts'
export {
  type AiSdkTool,
  type AiSdkToolDefaults,
  toolsFromAiSdk,
} from '../tools/tools-from-ai-sdk.ts'
export { argumentsFromStrict } from '../tools/provider-schema/arguments-from-strict.ts'
export { providerSchema, type ProviderSchema } from '../tools/provider-schema/provider-schema.ts'
export { providerTool } from '../tools/provider-schema/provider-tool.ts'
export type { Provider } from '../tools/provider-schema/provider.ts'
export type { LossKind, SchemaLoss } from '../tools/provider-schema/schema-loss.ts'
export { ToolError } from '../tools/response/tool-error.ts'
export { ErrorType } from '../tools/response/error-type.ts'
export { type Intent, type IntentMoment, IntentType } from '../tools/intents/intent.ts'
export { defineIntent } from '../tools/intents/define-intent.ts'
export type { IntentDefinition } from '../tools/intents/intent-definition.ts'
export { fail, type HandlerOutcome, succeed } from '../tools/response/handler-outcome.ts'
export { toolDefinition } from '../tools/definition/tool-definition.ts'
export type { ToolFields } from '../tools/tool-spec.ts'
export type { TopicRules } from '../tools/rule.ts'
export type {
  RiskLevel,
  Tool,
  ToolCategory,
  ToolDefinition,
  ToolGuidance,
} from '../tools/definition/tool.ts'
export type { Toolset } from '../tools/toolset.ts'
export type { CallOutput, OnCallOutput } from '../tools/definition/call-output.ts'
export type { RunningCall } from '../tools/definition/running-call.ts'
export type {
  Caller,
  NestedCallOptions,
  Principal,
  ToolContext,
} from '../tools/definition/tool-context.ts'
export type {
  ResponseError,
  ToolFailure,
  ToolResponse,
  ToolSuccess,
} from '../tools/response/tool-response.ts'

export { defineSkill } from '../skills/definition/define-skill.ts'
export { type AgentDefinition, defineAgent } from '../skills/definition/define-agent.ts'
export { SkillManager } from '../skills/skill-manager.ts'
export type { InlineFile, SkillDefinition } from '../skills/definition/skill-definition.ts'
export type { Agent, OnFound } from '../skills/definition/agent.ts'
export type {
  Lifetime,
  OnConflict,
  Skill,
  SkillFile,
  SkillHook,
  SkillHookContext,
} from '../skills/definition/skill.ts'
export type { SkillToolState } from '../skills/skill-manager.ts'

export { defineComponent } from '../components/define-component.ts'
export type { ComponentSpec } from '../components/define-component.ts'
export type { ComponentToolContext } from '../components/component-tool.ts'
export type { Panel, ToolComponent } from '../components/tool-component.ts'

export { type CatalogInput, createCatalog } from '../catalog/create/create-catalog.ts'
export type { Catalog, SkillTool } from '../catalog/create/catalog.ts'

export { catalogFromManifest } from '../catalog/manifest/catalog-from-manifest.ts'
export type { FromManifestOptions } from '../catalog/manifest/catalog-from-manifest.ts'
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
export type { DefinitionChange, FieldChange } from '../catalog/definition-change.ts'
export type { JsonChange } from '../catalog/json-changes.ts'
export { type FileDrift, lockDrift } from '../catalog/lock-drift.ts'
export type { Lock, LockedFile, LockedResource, LockedSkill } from '../catalog/lock.ts'

export { ToolSource } from '../engine/model/tool-source.ts'
export type { Cause } from '../engine/model/cause.ts'
export type { ModeLimits, PromptTier } from '../engine/model/mode-limits.ts'
export type { ModeTable } from '../engine/model/mode-limits-of.ts'
export { MODES } from '../engine/model/modes.ts'
export type { PermissionRule, Rule } from '../engine/model/permission-rule.ts'
export type { AllowedToolsEffect, Policy } from '../engine/model/policy.ts'
export type { ApprovalScope } from '../engine/model/consent-state.ts'
export type { RequestChange, RequestSegment, StepCost } from '../engine/model/step-cost.ts'
export type { FoundTool } from '../engine/model/discovery-event.ts'
export type { FoundKeeping } from '../engine/model/discovery-rules.ts'
export type { MemoryEntity } from '../engine/model/memory-event.ts'
export type { RemovalPrice } from '../engine/model/removal-price.ts'
export type { ExtractionHealth, SessionHealth } from '../engine/explain/session-health.ts'
export type { CallTokens } from '../engine/model/call-tokens.ts'
export type { IntentFailure } from '../engine/model/intent-event.ts'
export type { PendingIntent, SessionControls } from '../engine/model/intent-state.ts'
export type { Entry, WorkspaceEvent } from '../engine/model/event.ts'
export type { Explanation } from '../engine/explain/explain-tool.ts'
export type { Reason } from '../engine/explain/reason.ts'
export type { SkillListing } from '../engine/standing/list-skills.ts'
export type { ToolListing } from '../engine/standing/list-tools.ts'
export type { WorkspaceState } from '../engine/model/state.ts'
export type { SkillStatus, ToolStatus } from '../engine/standing/status.ts'
export type { ToolDifference } from '../engine/standing/tool-difference.ts'

export type { PromptDocument, PromptSection } from '../render/prompt/document/prompt-document.ts'
export type { PromptLedger } from '../render/prompt/ledger/prompt-ledger.ts'
export type { RemovalEstimate } from '../render/prompt/ledger/removal-estimates.ts'
export type { SentToolPrice, StepLedger } from '../render/prompt/ledger/step-ledger.ts'
export type { PromptFormat } from '../render/prompt/forms/write-prompt.ts'
export { diffDocuments } from '../render/prompt/diff-documents.ts'
export type { DocumentDiff } from '../render/prompt/diff-documents.ts'

export type { ApprovalStore, ApprovedTool } from '../workspace/calls/approval-store.ts'
export { createMemoryApprovals } from '../workspace/calls/memory-approvals.ts'
export { type ForkedSession, type ForkRequest, forkSession } from '../workspace/log/fork-session.ts'
export { type Replay, replaySession } from '../workspace/log/replay-session.ts'
export { entryHash } from '../workspace/log/entry-hash.ts'
export { createMemoryLog, type MemoryLog } from '../workspace/log/memory-log.ts'
export { StateController } from '../workspace/calls/intents/state-controller.ts'
export type {
  ControlledSession,
  IntentHandler,
  StateControllerOptions,
} from '../workspace/calls/intents/controlled-session.ts'
export type { ScriptRequest, ScriptRun } from '../workspace/offer/meta-tools/script-run.ts'
export type {
  CallMetrics,
  Durations,
  SessionMetrics,
  ToolMetrics,
} from '../workspace/calls/call-metrics.ts'
export { systemClock } from '../workspace/log/clock.ts'
export { META_TOOL_NAMES, type MetaToolName } from '../workspace/offer/meta-tools/meta-tool-name.ts'
export type {
  Clock,
  EventLog,
  ExposurePlan,
  ExposureRequest,
  ExposureStrategy,
  ScriptRunner,
  SessionSummary,
} from '../workspace/log/ports.ts'
export type { DiscoveryOptions, LoopGuard } from '../workspace/offer/discovery/discovery-options.ts'
export type { Callable } from '../workspace/offer/discovery/found-item.ts'
export type { PageSkill, PageTool, SearchPage } from '../workspace/offer/discovery/search-page.ts'
export { type ExposureName, EXPOSURES } from '../workspace/offer/exposure/exposure-name.ts'
export {
  type ProviderFacts,
  type ProviderName,
  PROVIDERS,
} from '../workspace/offer/exposure/provider-facts.ts'
export {
  type ExposureChoice,
  type ExposureOutlook,
  type ExposurePrice,
  planExposure,
} from '../workspace/offer/exposure/plan-exposure.ts'
export { predictChange, type PredictedChange } from '../workspace/offer/exposure/predict-change.ts'
export type { RequestImage, RequestPart } from '../workspace/offer/exposure/request-image.ts'
export type { BackgroundResult } from '../engine/model/background-event.ts'
export type { CallReport } from '../workspace/calls/call-report.ts'
export type { CallLimits, CallProgress } from '../workspace/calls/call-request.ts'
export type { Randomness } from '../workspace/log/randomness.ts'
export type { Outcome } from '../workspace/commands/outcome.ts'

export { collectMetrics } from '../workspace/collect-metrics.ts'
export { VirtualWorkspace } from '../workspace/virtual-workspace.ts'
export type { ApproveOptions } from '../workspace/calls/approve.ts'
export type {
  CallOptions,
  CommandOptions,
  RegistrationOptions,
} from '../workspace/open/command-options.ts'
export type { WorkspaceListener } from '../workspace/commands/workspace-listener.ts'
export type { OpeningNotice } from '../workspace/open/opening-notice.ts'
export type { PromptRequest } from '../workspace/offer/prompt-request.ts'
export type { PromptView } from '../workspace/offer/prompt-view.ts'
export type { StepRequest } from '../workspace/offer/step-request.ts'
export type { CompactedFacts, Compaction } from '../workspace/offer/compaction.ts'
export type { WorkspaceLedger } from '../workspace/offer/workspace-ledger.ts'
export type { WorkspaceOptions } from '../workspace/open/workspace-options.ts'
export type { StepPreview, StepSection, WorkspaceStep } from '../workspace/offer/workspace-step.ts'
