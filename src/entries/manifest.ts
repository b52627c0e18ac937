export { bindTool, toolDefinition } from '../tools/definition/make-tool.ts'
export {
  catalogFromManifest,
  type FromManifestOptions,
} from '../catalog/manifest/catalog-from-manifest.ts'
export { manifestText } from '../catalog/manifest/manifest-text.ts'
export { manifestCounter } from '../catalog/manifest/manifest-counter.ts'
export type { Manifest } from '../catalog/manifest/manifest.ts'
export { diffCatalogs } from '../catalog/diff-catalogs.ts'
export type { DefinitionChange } from '../catalog/diff-fields.ts'
export { type FileDrift, type Lock, lockDrift } from '../catalog/lock.ts'

// What is locked.
export { isListedOnly } from '../catalog/catalog-from-listing.ts'
export {
  type AddedSkill,
  changedSince,
  listingOf,
  LOCK_FORMAT,
  type LockedFile,
  type LockedServer,
  type LockedSkill,
  readLock,
  skillUri,
} from '../catalog/lock.ts'

// A manifest is written.
export type { SkillTool } from '../catalog/create/catalog.ts'
export { keepSkills } from '../catalog/create/create-catalog.ts'
export { replaceTools } from '../catalog/create/replace-tools.ts'
export { diffFields, type FieldChange, unifiedDiff } from '../catalog/diff-fields.ts'
export { buildManifest } from '../catalog/manifest/build-manifest.ts'
export { countTexts, tokenDigest } from '../catalog/manifest/manifest-counter.ts'
export {
  type ManifestSkill,
  type ManifestTool,
  manifestTools,
  type TokenCounts,
} from '../catalog/manifest/manifest.ts'
export { readManifest } from '../catalog/manifest/read-manifest.ts'

// What lint finds.
export type {
  LintedItem,
  LintItem,
  NativeInput,
  PatternList,
  ToolFile,
} from '../catalog/lint/checks/lint-input.ts'
export type { SkillFolder } from '../catalog/lint/checks/lint-skill.ts'
export { LINT_LEVELS, type LintLevel } from '../catalog/lint/codes/diagnostic-group.ts'
export { lintCatalog, type LintReport } from '../catalog/lint/lint-catalog.ts'

// Files of definitions.
export { parseAgentFile } from '../skills/parse/parse-agent-file.ts'
export { type ListedFile, parseSkillFile } from '../skills/parse/parse-skill-file.ts'
export { parseToolFolder } from '../skills/parse/parse-tool-folder.ts'
export { parseRulesFile, parseToolsetFile } from '../skills/parse/parse-toolset-file.ts'
export type { DefinitionFile } from '../skills/parse/read-definition.ts'

// What is locked.
export { lockAdded, lockText } from '../catalog/lock.ts'

// A manifest is written.
export { SCHEMA_PROVIDERS } from '../schema/provider-forms/provider-schema.ts'
export { isBound } from '../tools/definition/make-tool.ts'

// Files of definitions.
export { parseLifetime } from '../skills/definition/lifetime.ts'
export type { SkillFile, SkillFileReader } from '../skills/definition/skill.ts'
export { checkSpecification } from '../skills/parse/check-specification.ts'
export { FieldReader } from '../skills/parse/field-reader.ts'
export { parseFrontMatter, splitFrontMatter } from '../skills/parse/parse-front-matter.ts'
export { parseYaml, type YamlNode } from '../skills/parse/parse-yaml.ts'
export { firstParagraph } from '../skills/parse/read-definition.ts'
export { isTool } from '../tools/definition/make-tool.ts'
export { pickVersion, tryParseToolReference } from '../tools/definition/parse-tool-reference.ts'

// Files of definitions.
export { findHidden } from '../kernel/sanitise-text.ts'
export type { FrontMatter } from '../skills/parse/parse-front-matter.ts'
export { parseJson } from '../skills/parse/parse-json.ts'
export type { YamlEntry, YamlOutcome } from '../skills/parse/parse-yaml.ts'
export {
  type DescribedPresuppositions,
  describePresuppositions,
} from '../skills/presuppositions.ts'
export { withTopic } from '../tools/definition/make-tool.ts'

// Files of definitions.
export type { HiddenCharacter } from '../kernel/sanitise-text.ts'
export type { ParsedAgentFile } from '../skills/parse/parse-agent-file.ts'
export type { ParsedJson } from '../skills/parse/parse-json.ts'
export type { ParsedSkillFile } from '../skills/parse/parse-skill-file.ts'
export type { ParsedToolFolder } from '../skills/parse/parse-tool-folder.ts'
export type { ParsedRulesFile, ParsedToolsetFile } from '../skills/parse/parse-toolset-file.ts'
export type { ToolReference } from '../tools/definition/parse-tool-reference.ts'
