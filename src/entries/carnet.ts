export { Carnet } from '../adapters/carnet/carnet.ts'
export type { CarnetConversation } from '../adapters/carnet/carnet-conversation.ts'
export type { CarnetOptions } from '../adapters/carnet/carnet-options.ts'
export type { CarnetWarning } from '../adapters/carnet/carnet-warning.ts'
export type { CarnetToolName } from '../adapters/carnet/meta-tools/carnet-tool-name.ts'
export { CARNET_TOOL_NAMES } from '../adapters/carnet/meta-tools/carnet-tool-name.ts'

export { PromptGenerator } from '../adapters/carnet/prompt-generator.ts'
export { ToolRegistry } from '../adapters/carnet/tool-registry.ts'
export { VariableInjector } from '../adapters/carnet/variable-injector.ts'

export { CarnetError, isCarnetError } from '../adapters/carnet/carnet-error.ts'
export { BuildError, isBuildError } from '../adapters/carnet/build-error.ts'
export { ConfigError, isConfigError } from '../adapters/carnet/config-error.ts'
export { ParseError, isParseError } from '../adapters/carnet/parse-error.ts'
export { ValidationError, isValidationError } from '../adapters/carnet/validation-error.ts'
export { formatError } from '../adapters/carnet/format-error.ts'

export type {
  Agent,
  AppConfig,
  Manifest,
  Skill,
  SkillFileReference,
  SkillMetadata,
  Tool,
  ToolMetadata,
  Toolset,
  ToolsetMetadata,
} from '../adapters/carnet/manifest.ts'
export type {
  ContentRetrievalOptions,
  GeneratedPrompt,
  GenerateAgentPromptOptions,
  PromptOptions,
} from '../adapters/carnet/prompt-options.ts'
export type { CarnetSessionState } from '../adapters/carnet/session-state.ts'
export type { DomainToolSet } from '../adapters/carnet/domain-tools.ts'
export type { ToolFilteringDiagnostics } from '../adapters/carnet/tool-filtering.ts'
export type { ToolOptions } from '../adapters/carnet/tool-options.ts'
