export { WorkspaceError } from '../kernel/workspace-error.ts'
export type { Diagnostic } from '../kernel/diagnostic.ts'
export type { JsonSchema, JsonValue } from '../kernel/json-value.ts'
export type { ContentHash } from '../kernel/content-hash.ts'
export { createRedactor, type Redactor } from '../kernel/redactor.ts'
export { type RedactionRules, SECRET_KEYS, SECRET_PREFIXES } from '../kernel/redaction-rules.ts'
export type { TokenCounter } from '../kernel/token-counter.ts'

export { defineTool, type ToolFields } from '../tools/define-tool.ts'
export { defineToolset, type Toolset, type ToolsetSpec } from '../tools/define-toolset.ts'
export { defineRules, type RulesSpec, type TopicRules } from '../tools/define-rules.ts'
export { toolsFrom } from '../tools/brought/tools-from.ts'
export { toolsFromAiSdk } from '../tools/brought/tools-from-ai-sdk.ts'
export { ErrorType, ToolError } from '../tools/response/error-type.ts'
export { type Intent, IntentType } from '../tools/intents/intent.ts'
export { defineIntent, type IntentDefinition } from '../tools/intents/define-intent.ts'
export {
  fail,
  type HandlerFailure,
  type HandlerSuccess,
  type ResponseError,
  succeed,
  type ToolResponse,
} from '../tools/response/tool-response.ts'
export type { Tool, ToolDefinition } from '../tools/definition/tool.ts'
export type { Principal, RunningCall, ToolContext } from '../tools/definition/tool-context.ts'

export { defineSkill, type SkillDefinition } from '../skills/definition/define-skill.ts'
export { type Agent, type AgentDefinition, defineAgent } from '../skills/definition/define-agent.ts'
export { SkillManager, type SkillToolState } from '../skills/skill-manager.ts'
export type { Lifetime } from '../skills/definition/lifetime.ts'
export type { Skill, SkillHookContext } from '../skills/definition/skill.ts'

export {
  type ComponentSpec,
  type ComponentToolContext,
  defineComponent,
  type Panel,
  type ToolComponent,
} from '../components/define-component.ts'

export { type CatalogInput, createCatalog } from '../catalog/create/create-catalog.ts'
export type { Catalog } from '../catalog/create/catalog.ts'

export { ToolSource } from '../engine/model/source-event.ts'
export type { Cause } from '../engine/model/cause.ts'
export { type ModeLimits, MODES, type ModeTable } from '../engine/model/modes.ts'
export type { PermissionRule, Policy } from '../engine/model/policy.ts'
export type { SessionHealth } from '../engine/explain/session-health.ts'
export type { PendingIntent, SessionControls } from '../engine/model/intent-event.ts'
export type { Entry, WorkspaceEvent } from '../engine/model/workspace-event.ts'
export type { Explanation, Reason, Verdict } from '../engine/explain/verdict.ts'
export type { SkillListing } from '../engine/standing/list-skills.ts'
export type { ToolListing } from '../engine/standing/list-tools.ts'
export type { WorkspaceState } from '../engine/model/workspace-state.ts'
export type { SkillStatus } from '../engine/standing/assess-skill.ts'
export type { ToolStatus } from '../engine/standing/tool-status.ts'

export type { PromptDocument } from '../render/prompt/document/prompt-document.ts'
export type { PromptLedger } from '../render/prompt/ledger/prompt-ledger.ts'

export {
  type ApprovalStore,
  type ApprovedTool,
  createMemoryApprovals,
} from '../workspace/calls/approval-store.ts'
export { type ForkedSession, forkSession } from '../workspace/log/fork-session.ts'
export { type Replay, replaySession } from '../workspace/log/replay-session.ts'
export { type RecordedOptions, recordedOptions } from '../workspace/open/recorded-options.ts'
export { createMemoryLog, type MemoryLog } from '../workspace/log/memory-log.ts'
export { StateController } from '../workspace/calls/intents/state-controller.ts'
export type {
  ScriptRequest,
  ScriptRun,
  ScriptRunner,
} from '../workspace/offer/meta-tools/script-runner.ts'
export { collectMetrics, type SessionMetrics } from '../workspace/calls/session-metrics.ts'
export type { Clock, Randomness } from '../workspace/log/clock.ts'
export type { MetaToolName } from '../workspace/offer/meta-tools/meta-tool-name.ts'
export type { EventLog } from '../workspace/log/event-log.ts'
export type { ExposureName } from '../workspace/offer/exposure/exposure-strategy.ts'
export type { DiscoveryOptions } from '../workspace/offer/discovery/discovery-options.ts'
export type { SearchPage } from '../workspace/offer/discovery/search-page.ts'
export type { ProviderName } from '../workspace/offer/exposure/provider-facts.ts'
export type { CallReport } from '../workspace/calls/call-report.ts'
export type {
  CallOptions,
  CallProgress,
  HandlerError,
} from '../workspace/calls/request/call-request.ts'
export type { CommandOptions, Outcome, WorkspaceListener } from '../workspace/commands/outcome.ts'
export type { ReadonlySessionStore, SessionSnapshot } from '../workspace/commands/session-store.ts'

export {
  VirtualWorkspace,
  type WorkspaceLook,
  type WorkspaceReader,
} from '../workspace/virtual-workspace.ts'
export type { OpeningNotice } from '../workspace/open/opening-notice.ts'
export type {
  PromptRequest,
  WorkspaceLedger,
  WorkspacePrompt,
} from '../workspace/offer/workspace-document.ts'
export type { StepRequest, WorkspaceStep } from '../workspace/offer/workspace-step.ts'
export type { StepPreview } from '../workspace/offer/preview-step.ts'
export type { Compaction } from '../workspace/offer/compact.ts'
export type {
  PolicyOptions,
  TestingOptions,
  WorkspaceLimits,
  WorkspaceOptions,
} from '../workspace/open/workspace-options.ts'
