export { Carnet } from '../adapters/carnet/carnet.ts'
export type { CarnetConversation } from '../adapters/carnet/carnet-conversation.ts'
export type { CarnetOptions } from '../adapters/carnet/session/carnet-options.ts'
export type { CarnetWarning } from '../adapters/carnet/session/carnet-warning.ts'
export {
  CARNET_TOOL_NAMES,
  type CarnetToolName,
} from '../adapters/carnet/session/carnet-tool-name.ts'

export { PromptGenerator } from '../adapters/carnet/session/prompt-generator.ts'
export { ToolRegistry } from '../adapters/carnet/session/tool-registry.ts'
export { VariableInjector } from '../adapters/carnet/session/variable-injector.ts'

export { CarnetError, isCarnetError } from '../adapters/carnet/manifest/carnet-error.ts'
export { BuildError, isBuildError } from '../adapters/carnet/manifest/build-error.ts'
export { ConfigError, isConfigError } from '../adapters/carnet/manifest/config-error.ts'
export { isParseError, ParseError } from '../adapters/carnet/manifest/parse-error.ts'
export { isValidationError, ValidationError } from '../adapters/carnet/manifest/validation-error.ts'
export { formatError } from '../adapters/carnet/manifest/format-error.ts'

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
} from '../adapters/carnet/format/manifest.ts'
export type {
  ContentRetrievalOptions,
  GenerateAgentPromptOptions,
  GeneratedPrompt,
  PromptOptions,
} from '../adapters/carnet/session/prompt-options.ts'
export type { CarnetSessionState } from '../adapters/carnet/session-state.ts'
export type { DomainToolSet } from '../adapters/carnet/session/domain-tools.ts'
export type { ToolFilteringDiagnostics } from '../adapters/carnet/session/tool-filtering.ts'
export type { ToolOptions } from '../adapters/carnet/session/tool-options.ts'
