import { isListedOnly } from '../../../catalog/catalog-from-listing.ts'
import type { Catalog } from '../../../catalog/create/catalog.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { canonicalJson } from '../../../kernel/canonical-json.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import type { PromptItem, PromptSection } from '../document/prompt-document.ts'
import { markdownHead, markdownItem } from '../forms/write-markdown.ts'
import { type PromptFormat, writeSection } from '../forms/write-prompt.ts'
import { skillSection } from '../sections/skill-section.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../schema/provider-forms/provider-schema.ts'

const tokenCache = identityMemo<number>()

/**
 * Counts the tokens of a section. In Markdown, the format that is sent, its head and its children are
 * counted separately and cached, so that a change counts only what it affects.
 */
export function sectionTokens(
  section: PromptSection,
  counter: TokenCounter,
  format: PromptFormat = 'markdown',
  depth = 2,
): number {
  if (format !== 'markdown') {
    return tokenCache([counter, section], format, () =>
      counter.count(writeSection(section, format)),
    )
  }
  const head = tokenCache([counter, section], `markdown ${depth}`, () =>
    counter.count(markdownHead(section, depth)),
  )
  return section.children.reduce(
    (sum, child) => sum + sectionTokens(child, counter, format, depth + 1),
    head,
  )
}

/** Counts the tokens of one line of a list. */
export function itemTokens(item: PromptItem, counter: TokenCounter): number {
  return tokenCache([counter, item], 'item', () => counter.count(`${markdownItem(item)}\n`))
}

/** Counts the tokens of a tool definition in a request. */
export function definitionTokens(tool: Tool, counter: TokenCounter, name = tool.name): number {
  return tokenCache([counter, tool], `definition ${name}`, () =>
    counter.count(definitionText(tool, name)),
  )
}

/** Counts the tokens of a definition that is sent, under its sent name; 0 for one that is lost. */
export function sentToolTokens(
  { name, hash }: { readonly name: string; readonly hash: ContentHash },
  context: {
    tool(hash: ContentHash): Tool | undefined
    /** The provider whose rules for names hold. */
    readonly namesFor?: Provider | undefined
  },
  counter: TokenCounter,
): number {
  const tool = context.tool(hash)
  return tool === undefined ? 0 : definitionTokens(tool, counter, sentName(name, context.namesFor))
}

const boundCache = identityMemo<boolean>()

/** Returns true if the token count of a section is an upper bound. */
export function isSectionBound(
  section: PromptSection,
  counter: TokenCounter,
  format: PromptFormat,
): boolean {
  return boundCache(
    [counter, section],
    format,
    () => counter.isUpperBound?.(writeSection(section, format)) === true,
  )
}

/** Returns true if the token count of a tool definition is an upper bound. */
export function isDefinitionBound(tool: Tool, counter: TokenCounter): boolean {
  return boundCache(
    [counter, tool],
    'definition',
    () => counter.isUpperBound?.(definitionText(tool)) === true,
  )
}

/** Counts the tokens of the text that a skill adds to the prompt while it is active. */
export function skillTextTokens(skill: Skill, counter: TokenCounter): number {
  return sectionTokens(skillSection(skill, [], 'active-skills', 'step'), counter, 'markdown', 3)
}

/** Counts the tokens that a skill adds to a request while it is active: its text, and the definitions of its tools. */
export function skillTokens(
  skill: Skill,
  { skillTools }: Pick<Catalog, 'skillTools'>,
  counter: TokenCounter,
): number {
  const tools = skillTools.get(skill.name) ?? []
  return tools.reduce(
    (sum, { tool }) => sum + definitionTokens(tool, counter),
    skillTextTokens(skill, counter),
  )
}

/** Counts the tokens of a skill with its tools; null when a log has only the description of one of them. */
export function knownSkillTokens(
  skill: Skill,
  catalog: Pick<Catalog, 'skillTools'>,
  counter: TokenCounter,
): number | null {
  const tools = catalog.skillTools.get(skill.name) ?? []
  const isKnown = [skill, ...tools.map(({ tool }) => tool)].every((one) => !isListedOnly(one))
  return isKnown ? skillTokens(skill, catalog, counter) : null
}

/** Counts the tokens of a definition; null when a log has only its description. */
export function knownToolTokens(tool: Tool, counter: TokenCounter, name?: string): number | null {
  return isListedOnly(tool) ? null : definitionTokens(tool, counter, name)
}

/** Writes a tool as a request carries it: canonical JSON of name, description, input schema and options. */
export function definitionText(tool: Tool, name = tool.name): string {
  const { description, inputSchema, inputExamples, strict, providerOptions } = tool
  return canonicalJson({ name, description, inputSchema, inputExamples, strict, providerOptions })
}
