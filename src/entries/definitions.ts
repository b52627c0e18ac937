// Files of definitions.
export { ignoreMatcher } from '../engine/standing/matches-path.ts'
export { escapeHidden, findHidden, type HiddenCharacter } from '../kernel/sanitise-text.ts'
export { parseLifetime } from '../skills/definition/lifetime.ts'
export type { SkillFile, SkillFileReader } from '../skills/definition/skill.ts'
export { checkSpecification } from '../skills/parse/check-specification.ts'
export { FieldReader } from '../skills/parse/field-reader.ts'
export { parseAgentFile, type ParsedAgentFile } from '../skills/parse/parse-agent-file.ts'
export {
  type FrontMatter,
  parseFrontMatter,
  splitFrontMatter,
} from '../skills/parse/parse-front-matter.ts'
export { type ParsedJson, parseJson } from '../skills/parse/parse-json.ts'
export {
  type ListedFile,
  type ParsedSkillFile,
  parseSkillFile,
} from '../skills/parse/parse-skill-file.ts'
export { type ParsedToolFolder, parseToolFolder } from '../skills/parse/parse-tool-folder.ts'
export {
  type ParsedRulesFile,
  type ParsedToolsetFile,
  parseRulesFile,
  parseToolsetFile,
} from '../skills/parse/parse-toolset-file.ts'
export {
  parseYaml,
  type YamlEntry,
  type YamlNode,
  type YamlOutcome,
} from '../skills/parse/parse-yaml.ts'
export { type DefinitionFile, firstParagraph } from '../skills/parse/read-definition.ts'
export {
  type DescribedPresuppositions,
  describePresuppositions,
} from '../skills/presuppositions.ts'
export { isTool, withTopic } from '../tools/definition/make-tool.ts'
export {
  pickVersion,
  type ToolReference,
  tryParseToolReference,
} from '../tools/definition/parse-tool-reference.ts'

// What lint finds.
export { uselessAllows } from '../engine/model/policy.ts'
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
