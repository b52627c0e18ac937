export { Carnet } from '../connections/carnet/carnet.ts'
export type {
  CarnetConversation,
  CarnetSessionState,
} from '../connections/carnet/carnet-conversation.ts'
export {
  CARNET_TOOL_NAMES,
  type CarnetOptions,
  type CarnetPromptOptions as PromptOptions,
  type CarnetToolName,
  type ContentRetrievalOptions,
  type GenerateAgentPromptOptions,
  type GeneratedPrompt,
  type ToolOptions,
} from '../connections/carnet/session/carnet-options.ts'
export type { CarnetWarning } from '../connections/carnet/session/carnet-warning.ts'

export { PromptGenerator } from '../connections/carnet/session/prompt-generator.ts'
export { type DomainToolSet, ToolRegistry } from '../connections/carnet/session/tool-registry.ts'
export { VariableInjector } from '../connections/carnet/session/variable-injector.ts'

export {
  BuildError,
  CarnetError,
  ConfigError,
  formatError,
  isBuildError,
  isCarnetError,
  isConfigError,
  isParseError,
  isValidationError,
  ParseError,
  ValidationError,
} from '../connections/carnet/manifest/carnet-error.ts'

export type {
  AppConfig,
  InlineManifest,
  SkillFileReference,
  SkillMetadata,
  ToolMetadata,
  ToolsetMetadata,
  WritableAgent as Agent,
  WritableManifest as Manifest,
  WritableSkill as Skill,
  WritableTool as Tool,
  WritableToolset as Toolset,
} from '../connections/carnet/format/carnet-manifest.ts'
export type { ToolFilteringDiagnostics } from '../connections/carnet/session/select-tools.ts'
