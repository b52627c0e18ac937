import type {
  CarnetVersion,
  SkillMetadata,
  ToolMetadata,
  ToolsetMetadata,
  WritableAgent,
  WritableManifest,
  WritableSkill,
} from '../format/carnet-manifest.ts'
import {
  type CarnetToolName,
  DEFAULT_TOOL_NAMES,
  type GenerateAgentPromptOptions,
  type GeneratedPrompt,
} from './carnet-options.ts'
import type { DomainToolSet } from './tool-registry.ts'
import type { VariableInjector } from './variable-injector.ts'

/**
 * Writes the part of a prompt that depends on definitions alone. Headings and line formats are
 * those of Carnet 0.3.0 or 0.3.1, because its users compare prompts.
 */
export class PromptGenerator {
  readonly #injector: VariableInjector
  readonly #metaTools: readonly CarnetToolName[]
  readonly #version: CarnetVersion

  /**
   * @param metaTools the meta-tools that are available; the text names no others
   * @param version the version of Carnet whose headings are written
   */
  constructor(
    variableInjector: VariableInjector,
    metaTools: readonly CarnetToolName[] = DEFAULT_TOOL_NAMES,
    version: CarnetVersion = '0.3.0',
  ) {
    this.#injector = variableInjector
    this.#metaTools = metaTools
    this.#version = version
  }

  /** Writes a prompt. As in 0.3.1, its catalog then leaves out the initial skills. */
  generateAgentPrompt(
    agent: WritableAgent,
    initialSkills: WritableSkill[],
    availableSkills: readonly SkillMetadata[],
    options: GenerateAgentPromptOptions = {},
  ): GeneratedPrompt {
    const { variables, includeInitialSkills = true, includeSkillCatalog = true } = options
    const sections = [this.#injector.inject(agent.prompt, variables)]
    const initial = new Set(this.#version === '0.3.0' ? [] : initialSkills.map(({ name }) => name))
    const isListed = availableSkills.some(({ name }) => initial.has(name))
    const catalog = isListed
      ? availableSkills.filter(({ name }) => !initial.has(name))
      : availableSkills
    if (includeInitialSkills && initialSkills.length > 0) {
      sections.push(this.#initialSkills(initialSkills, variables))
    }
    if (includeSkillCatalog && catalog.length > 0) {
      sections.push(
        `## ${CATALOG_TITLES[this.#version]}\n\nYou can load these skills on-demand by using the \`loadSkill\` tool:\n\n${catalogLines(catalog)}`,
        ...loadingSection(this.#metaTools, this.#version),
      )
    }
    return {
      content: sections.join(this.#version === '0.3.0' ? '\n\n' : RULE),
      agent,
      initialSkills,
      availableSkills: availableSkills as SkillMetadata[],
    }
  }

  /** Writes a skill's name and description, with those of its toolsets among the given ones. */
  generateSkillMetadataSection(skill: SkillMetadata, toolsets: ToolsetMetadata[]): string {
    const own = toolsets.filter(({ name }) => skill.toolsets.includes(name))
    return withList(titleOf('Skill', skill), 'Associated Toolsets', own)
  }

  /** Writes a toolset's name and description, with those of its tools among the given ones. */
  generateToolsetMetadataSection(toolset: ToolsetMetadata, tools: ToolMetadata[]): string {
    const listed: readonly (string | ToolMetadata)[] = toolset.tools
    const names = new Set(listed.map((one) => (typeof one === 'string' ? one : one.name)))
    const own = tools.filter(({ name }) => names.has(name))
    return withList(titleOf('Toolset', toolset), 'Tools in this Toolset', own)
  }

  #initialSkills(
    skills: readonly WritableSkill[],
    variables: Record<string, string> | undefined,
  ): string {
    const isPublished = this.#version === '0.3.0'
    const texts = skills.map((skill) => {
      const text = this.#injector.inject(skill.content, variables)
      return isPublished ? `${titleOf('Skill', skill)}\n\n${text}` : text
    })
    return `## ${isPublished ? 'Initial Skills' : 'Skills'}\n\nYou have the following skills available immediately:\n\n${texts.join(RULE)}`
  }
}

const RULE = '\n\n---\n\n'

const CATALOG_TITLES: Readonly<Record<CarnetVersion, string>> = {
  '0.3.0': 'Available Skills (On-Demand)',
  '0.3.1': 'On-Demand Skills',
}

type Described = Readonly<Record<'name' | 'description', string>>

/** Written catalogs, by the list of skills: a catalog of ten thousand skills is written once. */
const catalogCache = new WeakMap<readonly SkillMetadata[], string>()

function catalogLines(skills: readonly SkillMetadata[]): string {
  const known = catalogCache.get(skills)
  if (known !== undefined) return known
  const lines = listOf(skills)
  if (Object.isFrozen(skills)) catalogCache.set(skills, lines)
  return lines
}

/**
 * Writes the instructions for loading skills with the available meta-tools; nothing without
 * `loadSkill`.
 */
function loadingSection(
  metaTools: readonly CarnetToolName[],
  version: CarnetVersion,
): readonly string[] {
  if (!metaTools.includes('loadSkill')) return []
  const files = metaTools.includes('loadSkillFile')
  return [
    [
      '## How to Load Skills',
      'Available Skills are loaded when they are needed. Before you work on what a skill is for, call `loadSkill({ skillName: "..." })` with its name, unless it is loaded already.',
      `When you load a skill:
1. You receive its instructions in full
2. You receive a list of available files (if any) with descriptions
3. All associated toolsets and tools are automatically loaded${
        files ? '\n4. You can load specific files on-demand using the `loadSkillFile` tool' : ''
      }`,
      `Available tools for progressive loading:\n${metaTools.map((name) => USES[name]).join('\n')}`,
      version === '0.3.0'
        ? 'Note: You do not need to manually load toolsets or individual tools: they come with the skill that has them.'
        : 'Note: tools associated to skills are automatically available once the skill is loaded.',
    ].join('\n\n'),
  ]
}

const USES: Readonly<Record<CarnetToolName, string>> = {
  listAvailableSkills: '- `listAvailableSkills()` - List the skills you can load',
  loadSkill: '- `loadSkill(skillName)` - Load a skill and get access to its tools',
  loadSkillFile: '- `loadSkillFile(skillName, path)` - Load a specific file from a loaded skill',
  listSkillToolsets: '- `listSkillToolsets(skillName)` - List the toolsets of a skill',
  loadToolset: '- `loadToolset(toolsetName)` - Read how the tools of a toolset are used together',
  loadTool: '- `loadTool(toolName)` - Read the documentation of one tool',
}

function titleOf(kind: 'Skill' | 'Toolset', { name, description }: Described): string {
  return `## ${kind}: ${name}\n\n${description}`
}

function withList(text: string, heading: string, items: readonly Described[]): string {
  return items.length === 0 ? text : `${text}\n\n### ${heading}\n\n${listOf(items)}`
}

function listOf(items: readonly Described[]): string {
  return items.map(({ name, description }) => `- **${name}**: ${description}`).join('\n')
}

/** Writes the loaded skills by name, with their toolsets; empty without any. */
export function loadedSkillsSection(skills: readonly string[], manifest: WritableManifest): string {
  const lines = skills.flatMap((key) => {
    const skill = manifest.skills[key]
    if (skill === undefined) return []
    const toolsets = skill.toolsets.length > 0 ? ` (toolsets: ${skill.toolsets.join(', ')})` : ''
    return [`- **${skill.name}**: ${skill.description}${toolsets}`]
  })
  return section(
    'Currently Loaded Skills',
    'Skills you have discovered during this session:',
    lines,
  )
}

/** Writes the available tools; empty without any. */
export function availableToolsSection(tools: readonly Described[]): string {
  return section(
    'Available Domain Tools',
    'Based on your loaded skills, you can now use these tools:',
    tools.map(
      ({ name, description }) => `- **${name}**${description === '' ? '' : `: ${description}`}`,
    ),
  )
}

/** Returns the description of a tool: the host's, else the manifest's. */
export function descriptionOf(
  name: string,
  tool: DomainToolSet[string] | undefined,
  { tools }: WritableManifest,
): string {
  const own = tool?.description
  if (typeof own === 'string' && own !== '') return own
  return Object.hasOwn(tools, name) ? (tools[name]?.description ?? '') : ''
}

function section(heading: string, introduction: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${heading}\n\n${introduction}\n\n${lines.join('\n')}`
}
