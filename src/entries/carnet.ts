export { Carnet } from '../adapters/carnet/carnet.ts'
export type {
  CarnetConversation,
  CarnetSessionState,
} from '../adapters/carnet/carnet-conversation.ts'
export {
  CARNET_TOOL_NAMES,
  type CarnetOptions,
  type CarnetPromptOptions as PromptOptions,
  type CarnetToolName,
  type ContentRetrievalOptions,
  type GenerateAgentPromptOptions,
  type GeneratedPrompt,
  type ToolOptions,
} from '../adapters/carnet/session/carnet-options.ts'
export type { CarnetWarning } from '../adapters/carnet/session/carnet-warning.ts'

export { PromptGenerator } from '../adapters/carnet/session/prompt-generator.ts'
export { type DomainToolSet, ToolRegistry } from '../adapters/carnet/session/tool-registry.ts'
export { VariableInjector } from '../adapters/carnet/session/variable-injector.ts'

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
} from '../adapters/carnet/manifest/carnet-error.ts'

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
} from '../adapters/carnet/format/carnet-manifest.ts'
export type { ToolFilteringDiagnostics } from '../adapters/carnet/session/select-tools.ts'
