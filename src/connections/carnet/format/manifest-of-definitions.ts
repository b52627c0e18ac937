import type { Agent, Diagnostic, Skill, Tool, Toolset } from '../../../entries/index.ts'
import {
  CARNET_MANIFEST_VERSION,
  type CarnetAgent,
  type CarnetManifest,
  type CarnetSkill,
  type CarnetToolset,
} from './carnet-manifest.ts'
import { matchesPattern } from '../../../entries/kit.ts'
import { parseToolReference } from '../../../tools/definition/parse-tool-reference.ts'

/**
 * Converts definitions to a Carnet manifest, with everything sorted by name.
 *
 * `textOf` returns the text of a skill's file; a file without a text is left out. Unknown names are
 * left out, too, since Carnet refuses a manifest with one. What Carnet has no field for is reported
 * as a finding.
 */
export function manifestOfDefinitions(
  source: CarnetSource,
  textOf: (skill: Skill, path: string) => string | undefined,
): { readonly manifest: CarnetManifest; readonly diagnostics: readonly Diagnostic[] } {
  const ownToolsets = source.skills.flatMap((skill) => ownToolsetOf(skill) ?? [])
  const skills = new Set(source.skills.map(({ name }) => name))
  const toolsets = new Set([...source.toolsets, ...ownToolsets].map(({ name }) => name))
  const own = [...source.skills, ...source.toolsets].flatMap((one) => one.tools)
  // In a map the last entry of a name wins, so shared tools come last.
  const all = [...own.filter((tool) => typeof tool !== 'string'), ...source.tools]
  const tools = new Map(all.map((tool) => [carnetToolId(tool.name), tool]))
  return {
    manifest: {
      version: CARNET_MANIFEST_VERSION,
      app: { globalInitialSkills: [], globalSkills: [] },
      agents: byName(source.agents.map((agent) => agentOf(agent, skills))),
      skills: byName(source.skills.map((skill) => skillOf(skill, toolsets, textOf))),
      toolsets: byName(
        [...source.toolsets.map(toolsetOf), ...ownToolsets].map((toolset) => ({
          ...toolset,
          tools: toolset.tools.filter((tool) => tools.has(tool)),
        })),
      ),
      tools: byName(
        [...tools].map(([name, { description, documentation: content = '' }]) => {
          return { name, description, content }
        }),
      ),
    },
    diagnostics: lostInCarnet(source, [...tools.values()]),
  }
}

function skillOf(
  skill: Skill,
  toolsets: ReadonlySet<string>,
  textOf: (skill: Skill, path: string) => string | undefined,
): CarnetSkill {
  const named = skill.toolsets.map((toolset) =>
    typeof toolset === 'string' ? toolset : toolset.name,
  )
  const own = ownToolsetOf(skill)
  const files = skill.files.flatMap(({ path, description = path }) => {
    const content = textOf(skill, path)
    return content === undefined ? [] : [{ path, description, content }]
  })
  return {
    name: skill.name,
    description: skill.description,
    toolsets: [...named, ...(own === null ? [] : [own.name])].filter((one) => toolsets.has(one)),
    files,
    content: skill.instructions,
  }
}

/** Makes a toolset of a skill's own tools, because skills of Carnet have only toolsets. */
function ownToolsetOf({ name, displayName, tools }: Skill): CarnetToolset | null {
  if (tools.length === 0) return null
  return {
    name: `${name}-own-tools`,
    description: `The tools of ${displayName}.`,
    tools: tools.map(toolIdOf),
    content: '',
  }
}

function toolsetOf({ name, description, tools, instructions }: Toolset): CarnetToolset {
  return { name, description, tools: tools.map(toolIdOf), content: instructions }
}

function toolIdOf(tool: Tool | string): string {
  return carnetToolId(typeof tool === 'string' ? parseToolReference(tool).name : tool.name)
}

function agentOf(agent: Agent, known: ReadonlySet<string>): CarnetAgent {
  const { name, displayName, skills, prompt } = agent
  const initialSkills = agent.initialSkills.filter((skill) => known.has(skill))
  const rest = [...known].filter((skill) => !initialSkills.includes(skill)).sort()
  return {
    name,
    description: agent.description === '' ? displayName : agent.description,
    initialSkills,
    skills:
      skills === '*'
        ? rest
        : skills.flatMap((one) => [...known].filter((skill) => matchesPattern(one, skill)).sort()),
    prompt,
  }
}

function byName<T extends { readonly name: string }>(
  list: readonly T[],
): Readonly<Record<string, T>> {
  const named: Record<string, T> = Object.create(null)
  for (const one of [...list].sort((a, b) => (a.name < b.name ? -1 : 1))) named[one.name] = one
  return named
}

/** The definitions of a manifest; names are unique within each kind. */
interface CarnetSource {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
}

/**
 * Returns a tool's name in the form that Carnet allows: letters, digits and `_`, starting with a
 * letter.
 */
function carnetToolId(name: string): string {
  const id = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z]/.test(id) ? id : `t_${id}`
}

/** Reports the fields of definitions that a Carnet manifest has no place for. */
export function lostInCarnet(
  { skills, toolsets, agents }: CarnetSource,
  tools: readonly Tool[],
): readonly Diagnostic[] {
  return [
    ...skills.flatMap((skill) => lostFields('skill', skill, skillFields(skill))),
    ...toolsets.flatMap((toolset) => {
      const fields = (['rules', 'servers'] as const).filter((one) => toolset[one] !== undefined)
      return lostFields('toolset', toolset, fields)
    }),
    ...agents.flatMap((agent) => lostFields('agent', agent, agentFields(agent))),
    ...tools.flatMap(({ name }) => renamedTool(name)),
  ]
}

function skillFields(skill: Skill): readonly string[] {
  const lists = ['requires', 'conflicts', 'extends', 'triggers', 'aliases', 'permissions'] as const
  return [
    ...lists.filter((field) => skill[field].length > 0),
    ...(skill.exclusive ? ['exclusive'] : []),
    ...(skill.lifetime === 'session' ? [] : ['lifetime']),
    ...(skill.disableModelInvocation === true ? ['disableModelInvocation'] : []),
    ...(skill.userInvocable === false ? ['userInvocable'] : []),
    ...(skill.fork === undefined ? [] : ['fork']),
    ...(skill.disallowedTools === undefined ? [] : ['disallowedTools']),
    ...(['servers', 'connect', 'programs', 'arguments', 'paths', 'when'] as const).filter(
      (field) => skill[field] !== undefined,
    ),
  ]
}

function agentFields({
  tools,
  disallowedTools,
  versions,
  mode,
  exclusive,
}: Agent): readonly string[] {
  return [
    ...(tools === undefined ? [] : ['tools']),
    ...(disallowedTools === undefined ? [] : ['disallowedTools']),
    ...(versions.length > 0 ? ['versions'] : []),
    ...(mode === undefined ? [] : ['mode']),
    ...(exclusive ? ['exclusive'] : []),
  ]
}

function lostFields(
  kind: 'skill' | 'toolset' | 'agent',
  { name, path }: { readonly name: string; readonly path?: string },
  fields: readonly string[],
): readonly Diagnostic[] {
  if (fields.length === 0) return []
  return [
    {
      code: 'carnet-lost',
      severity: 'warning',
      message: `Carnet has no place for these fields of the ${kind} "${name}": ${fields.join(', ')}.`,
      hint: 'Keep its original folder: the export does not contain everything.',
      ...(path !== undefined && { file: path }),
    },
  ]
}

function renamedTool(name: string): readonly Diagnostic[] {
  const id = carnetToolId(name)
  if (id === name) return []
  return [
    {
      code: 'carnet-renamed',
      severity: 'warning',
      message: `Carnet does not allow the tool name "${name}"; the export uses "${id}".`,
      hint: 'Register its code under that name.',
    },
  ]
}
