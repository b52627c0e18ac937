import type { DomainToolSet } from './domain-tools.ts'
import type { Manifest } from '../format/manifest.ts'

/** The loaded skills by name, with the toolsets that came with each; empty without any. */
export function loadedSkillsSection(skills: readonly string[], manifest: Manifest): string {
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

/** One tool as the prompt tells of it. */
interface ListedTool {
  readonly name: string
  readonly description: string
}

/** The tools that can be used; empty without any. */
export function availableToolsSection(tools: readonly ListedTool[]): string {
  return section(
    'Available Domain Tools',
    'Based on your loaded skills, you can now use these tools:',
    tools.map(
      ({ name, description }) => `- **${name}**${description === '' ? '' : `: ${description}`}`,
    ),
  )
}

/** What is told of a tool: what its host wrote, else what the manifest says. */
export function descriptionOf(
  name: string,
  tool: DomainToolSet[string] | undefined,
  { tools }: Manifest,
): string {
  const own = tool?.description
  if (typeof own === 'string' && own !== '') return own
  return Object.hasOwn(tools, name) ? (tools[name]?.description ?? '') : ''
}

function section(heading: string, told: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${heading}\n\n${told}\n\n${lines.join('\n')}`
}
