export { WorkspaceError } from '../kernel/workspace-error.ts'
export type { Diagnostic, Severity } from '../kernel/diagnostic.ts'
export type { JsonSchema, JsonValue } from '../kernel/json.ts'
export type { ContentHash } from '../kernel/content-hash.ts'
export type { TokenCounter } from '../kernel/token-counter.ts'

export { defineTool } from '../registry/define-tool.ts'
export { bindTool } from '../registry/bind-tool.ts'
export { defineToolset } from '../registry/define-toolset.ts'
export { defineRules } from '../registry/define-rules.ts'
export { toolsFromAiSdk } from '../registry/tools-from-ai-sdk.ts'
export { ToolError } from '../registry/tool-error.ts'
export { ErrorType } from '../registry/error-type.ts'
export { IntentType } from '../registry/intent.ts'
export { fail, succeed } from '../registry/handler-outcome.ts'
export type { HandlerOutcome } from '../registry/handler-outcome.ts'
export { toolDefinition } from '../registry/tool-definition.ts'
export type { ToolFields } from '../registry/tool-spec.ts'
export type { AiSdkTool, AiSdkToolDefaults } from '../registry/tools-from-ai-sdk.ts'
export type { ToolsetSpec } from '../registry/define-toolset.ts'
export type { RulesSpec } from '../registry/define-rules.ts'
export type { TopicRules } from '../registry/rule.ts'
export type { Intent, IntentMoment } from '../registry/intent.ts'
export type { RiskLevel, Tool, ToolCategory, ToolDefinition, ToolGuidance } from '../registry/tool.ts'
export type { Toolset } from '../registry/toolset.ts'
export type { Caller, Principal, ToolContext } from '../registry/tool-context.ts'
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

export { ToolSource } from '../engine/tool-source.ts'
export type { Cause } from '../engine/cause.ts'
export type { Entry, WorkspaceEvent } from '../engine/event.ts'
export type { Explanation } from '../engine/explain/explain.ts'
export type { Reason } from '../engine/explain/reason.ts'
export type { SkillListing } from '../engine/list-skills.ts'
export type { ToolListing } from '../engine/list-tools.ts'
export type { WorkspaceState } from '../engine/state.ts'
export type { SkillStatus, ToolStatus } from '../engine/status.ts'
export type { ToolDifference } from '../engine/tool-difference.ts'

export type { PromptDocument, PromptSection } from '../render/prompt/prompt-document.ts'
export type { PromptLedger } from '../render/prompt/prompt-ledger.ts'
export type { PromptFormat } from '../render/prompt/write-prompt.ts'
export { diffDocuments } from '../render/prompt/diff-documents.ts'
export type { DocumentDiff } from '../render/prompt/diff-documents.ts'

export { createMemoryLog } from '../session/memory-log.ts'
export { systemClock } from '../session/clock.ts'
export { META_TOOL_NAMES } from '../session/meta-tools/meta-tool-name.ts'
export type { MetaToolName } from '../session/meta-tools/meta-tool-name.ts'
export type {
  Clock,
  EventLog,
  ExposurePlan,
  ExposureRequest,
  ExposureStrategy,
  SessionSummary,
} from '../session/ports.ts'
export type { CallLimits, CallProgress } from '../session/call-request.ts'
export type { Outcome } from '../session/outcome.ts'

export { VirtualWorkspace } from '../workspace/virtual-workspace.ts'
export type { CallOptions, CommandOptions } from '../workspace/virtual-workspace.ts'
export type { WorkspaceListener } from '../workspace/workspace-listener.ts'
export type { OpeningNotice } from '../workspace/begin-session.ts'
export type { PromptRequest } from '../workspace/prompt-request.ts'
export type { PromptView } from '../workspace/prompt-view.ts'
export type { WorkspaceOptions } from '../workspace/workspace-options.ts'
export type { StepSection, WorkspaceStep } from '../workspace/workspace-step.ts'
