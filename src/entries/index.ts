export { WorkspaceError } from '../kernel/workspace-error.ts'
export type { Diagnostic, Severity } from '../kernel/diagnostic.ts'
export type { JsonSchema, JsonValue } from '../kernel/json.ts'
export type { ContentHash } from '../kernel/content-hash.ts'
export { createRedactor } from '../kernel/redaction/create-redactor.ts'
export { SECRET_KEYS, SECRET_PREFIXES } from '../kernel/redaction/redaction-rules.ts'
export type { RedactionRules } from '../kernel/redaction/redaction-rules.ts'
export type { Redactor } from '../kernel/redaction/redactor.ts'
export type { TokenCounter } from '../kernel/token-counter.ts'

export { defineTool } from '../registry/define-tool.ts'
export { bindTool } from '../registry/bind-tool.ts'
export { defineToolset } from '../registry/define-toolset.ts'
export { defineRules } from '../registry/define-rules.ts'
export { toolsFromAiSdk } from '../registry/tools-from-ai-sdk.ts'
export { argumentsFromStrict } from '../registry/provider-schema/strict-arguments.ts'
export { providerSchema } from '../registry/provider-schema/provider-schema.ts'
export { providerTool } from '../registry/provider-schema/provider-tool.ts'
export type { ProviderSchema } from '../registry/provider-schema/provider-schema.ts'
export type { Provider } from '../registry/provider-schema/provider.ts'
export type { LossKind, SchemaLoss } from '../registry/provider-schema/schema-loss.ts'
export { ToolError } from '../registry/tool-error.ts'
export { ErrorType } from '../registry/error-type.ts'
export { IntentType } from '../registry/intent.ts'
export { defineIntent } from '../registry/define-intent.ts'
export type { IntentDefinition } from '../registry/intent-definition.ts'
export { fail, succeed } from '../registry/handler-outcome.ts'
export type { HandlerOutcome } from '../registry/handler-outcome.ts'
export { toolDefinition } from '../registry/tool-definition.ts'
export type { ToolFields } from '../registry/tool-spec.ts'
export type { AiSdkTool, AiSdkToolDefaults } from '../registry/tools-from-ai-sdk.ts'
export type { ToolsetSpec } from '../registry/define-toolset.ts'
export type { RulesSpec } from '../registry/define-rules.ts'
export type { TopicRules } from '../registry/rule.ts'
export type { Intent, IntentMoment } from '../registry/intent.ts'
export type {
  RiskLevel,
  Tool,
  ToolCategory,
  ToolDefinition,
  ToolGuidance,
} from '../registry/tool.ts'
export type { Toolset } from '../registry/toolset.ts'
export type { CallOutput, OnCallOutput } from '../registry/call-output.ts'
export type { RunningCall } from '../registry/running-call.ts'
export type { Caller, NestedCallOptions, Principal, ToolContext } from '../registry/tool-context.ts'
export type {
  ResponseError,
  ToolFailure,
  ToolResponse,
  ToolSuccess,
} from '../registry/tool-response.ts'

export { defineSkill } from '../skills/define-skill.ts'
export { defineAgent } from '../skills/define-agent.ts'
export { SkillManager } from '../skills/skill-manager.ts'
export type { AgentDefinition } from '../skills/define-agent.ts'
export type { InlineFile, SkillDefinition } from '../skills/skill-definition.ts'
export type { Agent, OnFound } from '../skills/agent.ts'
export type {
  Lifetime,
  OnConflict,
  Skill,
  SkillFile,
  SkillHook,
  SkillHookContext,
} from '../skills/skill.ts'
export type { SkillToolState } from '../skills/skill-manager.ts'

export { defineComponent } from '../components/define-component.ts'
export type { ComponentSpec } from '../components/define-component.ts'
export type { ComponentToolContext } from '../components/component-tool.ts'
export type { Panel, ToolComponent } from '../components/tool-component.ts'

export { createCatalog } from '../catalog/create-catalog.ts'
export type { CatalogInput } from '../catalog/create-catalog.ts'
export type { Catalog, SkillTool } from '../catalog/catalog.ts'

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
export { diffCatalogs } from '../catalog/diff/diff-catalogs.ts'
export type { DefinitionChange, FieldChange } from '../catalog/diff/definition-change.ts'
export type { JsonChange } from '../catalog/diff/json-changes.ts'
export { lockDrift } from '../catalog/lock/lock-drift.ts'
export type { FileDrift } from '../catalog/lock/lock-drift.ts'
export type { Lock, LockedFile, LockedResource, LockedSkill } from '../catalog/lock/lock.ts'

export { ToolSource } from '../engine/sources/tool-source.ts'
export type { Cause } from '../engine/cause.ts'
export type { ModeLimits, PromptTier } from '../engine/policy/mode-limits.ts'
export type { ModeTable } from '../engine/policy/mode-limits-of.ts'
export { MODES } from '../engine/policy/modes.ts'
export type { PermissionRule, Rule } from '../engine/policy/permission-rule.ts'
export type { AllowedToolsEffect, Policy } from '../engine/policy/policy.ts'
export type { ApprovalScope } from '../engine/consent/consent-state.ts'
export type { RequestChange, RequestSegment, StepCost } from '../engine/costs/step-cost.ts'
export type { FoundTool } from '../engine/discovery/discovery-event.ts'
export type { FoundKeeping } from '../engine/discovery/discovery-rules.ts'
export type { MemoryEntity } from '../engine/memory/memory-event.ts'
export type { RemovalPrice } from '../engine/costs/removal-price.ts'
export type { ExtractionHealth, SessionHealth } from '../engine/session-health.ts'
export type { CallTokens } from '../engine/costs/call-tokens.ts'
export type { IntentFailure } from '../engine/intents/intent-event.ts'
export type { PendingIntent, SessionControls } from '../engine/intents/intent-state.ts'
export type { Entry, WorkspaceEvent } from '../engine/event.ts'
export type { Explanation } from '../engine/explain/explain.ts'
export type { Reason } from '../engine/explain/reason.ts'
export type { SkillListing } from '../engine/listing/list-skills.ts'
export type { ToolListing } from '../engine/listing/list-tools.ts'
export type { WorkspaceState } from '../engine/state.ts'
export type { SkillStatus, ToolStatus } from '../engine/status.ts'
export type { ToolDifference } from '../engine/tool-difference.ts'

export type { PromptDocument, PromptSection } from '../render/prompt/prompt-document.ts'
export type { PromptLedger } from '../render/prompt/prompt-ledger.ts'
export type { RemovalEstimate } from '../render/prompt/removal-estimates.ts'
export type { SentToolPrice, StepLedger } from '../render/prompt/step-ledger.ts'
export type { PromptFormat } from '../render/prompt/write-prompt.ts'
export { diffDocuments } from '../render/prompt/diff-documents.ts'
export type { DocumentDiff } from '../render/prompt/diff-documents.ts'

export type { ApprovalStore, ApprovedTool } from '../session/approvals/approval-store.ts'
export { createMemoryApprovals } from '../session/approvals/memory-approvals.ts'
export { forkSession } from '../session/fork-session.ts'
export type { ForkedSession, ForkRequest } from '../session/fork-session.ts'
export { replaySession } from '../session/replay-session.ts'
export type { Replay } from '../session/replay-session.ts'
export { entryHash } from '../session/log/entry-hash.ts'
export { createMemoryLog } from '../session/log/memory-log.ts'
export type { MemoryLog } from '../session/log/memory-log.ts'
export { StateController } from '../session/intents/state-controller.ts'
export type {
  ControlledSession,
  IntentHandler,
  StateControllerOptions,
} from '../session/intents/controlled-session.ts'
export type { ScriptRequest, ScriptRun } from '../session/script-run.ts'
export type {
  CallMetrics,
  Durations,
  SessionMetrics,
  ToolMetrics,
} from '../session/metrics/call-metrics.ts'
export { systemClock } from '../session/clock.ts'
export { META_TOOL_NAMES } from '../session/meta-tools/meta-tool-name.ts'
export type { MetaToolName } from '../session/meta-tools/meta-tool-name.ts'
export type {
  Clock,
  EventLog,
  ExposurePlan,
  ExposureRequest,
  ExposureStrategy,
  ScriptRunner,
  SessionSummary,
} from '../session/ports.ts'
export type { DiscoveryOptions, LoopGuard } from '../session/discovery/discovery-options.ts'
export type { Callable } from '../session/discovery/found-item.ts'
export type { PageSkill, PageTool, SearchPage } from '../session/discovery/search-page.ts'
export { EXPOSURES } from '../session/exposure/exposure-name.ts'
export type { ExposureName } from '../session/exposure/exposure-name.ts'
export { PROVIDERS } from '../session/exposure/provider-facts.ts'
export type { ProviderFacts, ProviderName } from '../session/exposure/provider-facts.ts'
export { planExposure } from '../session/exposure/plan-exposure.ts'
export type {
  ExposureChoice,
  ExposureOutlook,
  ExposurePrice,
} from '../session/exposure/plan-exposure.ts'
export { predictChange } from '../session/exposure/predict-change.ts'
export type { PredictedChange } from '../session/exposure/predict-change.ts'
export type { RequestImage, RequestPart } from '../session/exposure/request-image.ts'
export type { BackgroundResult } from '../engine/background/background-event.ts'
export type { CallReport } from '../session/calls/call-report.ts'
export type { CallLimits, CallProgress } from '../session/calls/call-request.ts'
export type { Randomness } from '../session/randomness.ts'
export type { Outcome } from '../session/outcome.ts'

export { collectMetrics } from '../workspace/collect-metrics.ts'
export { VirtualWorkspace } from '../workspace/virtual-workspace.ts'
export type { ApproveOptions } from '../workspace/approve.ts'
export type {
  CallOptions,
  CommandOptions,
  RegistrationOptions,
} from '../workspace/command-options.ts'
export type { WorkspaceListener } from '../workspace/workspace-listener.ts'
export type { OpeningNotice } from '../workspace/opening/opening-notice.ts'
export type { PromptRequest } from '../workspace/prompt-request.ts'
export type { PromptView } from '../workspace/prompt-view.ts'
export type { StepRequest } from '../workspace/steps/step-request.ts'
export type { CompactedFacts, Compaction } from '../workspace/steps/compaction.ts'
export type { WorkspaceLedger } from '../workspace/workspace-ledger.ts'
export type { WorkspaceOptions } from '../workspace/workspace-options.ts'
export type { StepPreview, StepSection, WorkspaceStep } from '../workspace/steps/workspace-step.ts'
