import {
  type Catalog,
  type ContentHash,
  type Diagnostic,
  type Skill,
  type TokenCounter,
  type Tool,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import { matchesPattern } from '../../../entries/kit.ts'
import { pickVersion, tryParseToolReference } from '../../../entries/definitions.ts'
import type { SkillTool } from '../../../entries/manifest.ts'
import { definitionTokens, skillTokens } from '../../../entries/plan.ts'
import { isOfPlugin, type Plugin } from '../../project/folders/read-plugins.ts'
import { unknownTools } from '../../project/folders/load-tool-modules.ts'

/**
 * Returns a catalog as a tree: agents with the skills they may load, skills with their tools and
 * toolsets, toolsets with their tools. A definition that no other refers to is a root. So are plugins with their
 * skills, and the tools whose code could not be imported: nothing else is known of them.
 */
export function catalogTree(
  catalog: Catalog,
  counter: TokenCounter,
  diagnostics: readonly Diagnostic[],
  plugins: readonly Plugin[] = [],
): readonly TreeNode[] {
  const seen = { skills: new Set<string>(), toolsets: new Set<string>() }

  const toolNode = (tool: Tool, note: string | null = null): TreeNode => {
    const { name, description, hash } = tool
    const tokens = definitionTokens(tool, counter)
    return treeNode({ kind: 'tool', name, tokens, description, hash, note })
  }

  const toolOrMissing = (tool: Tool | string): TreeNode =>
    typeof tool === 'string' ? missing('tool', tool) : toolNode(tool)
  const toolsetNode = (toolset: Toolset, children: readonly TreeNode[]): TreeNode => {
    const { name, description, instructions, hash, path = null } = toolset
    seen.toolsets.add(name)
    const tokens = counter.count(instructions)
    return treeNode({ kind: 'toolset', name, tokens, description, hash, path, children })
  }

  const broughtNode = ({ tool, extendedFrom }: SkillTool): TreeNode =>
    toolNode(tool, extendedFrom === undefined ? null : `from "${extendedFrom}"`)

  const skillContents = (skill: Skill): readonly TreeNode[] => {
    const tools = catalog.skillTools.get(skill.name) ?? []
    const own = tools.filter(({ toolset }) => toolset === undefined)
    const named = skill.toolsets.map((one) => (typeof one === 'string' ? one : one.name))
    const brought = tools.flatMap(({ toolset }) => toolset ?? [])
    const toolsets = [...new Set([...named, ...brought])].map((name) => {
      const toolset = catalog.toolsets.get(name)
      if (toolset === undefined) return missing('toolset', name)
      const members = tools.filter((one) => one.toolset === name)
      return toolsetNode(toolset, members.map(broughtNode))
    })
    return [...own.map(broughtNode), ...toolsets]
  }

  const skillNode = (skill: Skill, note: string | null = null): TreeNode => {
    const { name, description, hash, path = null } = skill
    const shadowed = catalog.skills.get(name) !== skill
    const before = seen.skills.has(name)
    if (!shadowed) seen.skills.add(name)
    const children = shadowed || before ? [] : skillContents(skill)
    return treeNode({
      kind: 'skill',
      name,
      tokens: skillTokens(skill, catalog, counter),
      description,
      hash,
      path,
      note: shadowed ? 'shadowed' : note,
      repeated: before && !shadowed && skillContents(skill).length > 0,
      children,
    })
  }

  const named = (name: string, note: string | null = null): TreeNode => {
    const skill = catalog.skills.get(name)
    return skill === undefined ? missing('skill', name) : skillNode(skill, note)
  }

  const agents = [...catalog.agents.values()].map((agent) => {
    const { name, description, prompt, initialSkills, skills, hash, path = null } = agent
    const more = (skills === '*' ? [] : skills)
      .flatMap((one) => {
        const matching = [...catalog.skills.keys()].filter((skill) => matchesPattern(one, skill))
        return matching.length === 0 ? one : matching
      })
      .filter((skill, at, all) => !initialSkills.includes(skill) && all.indexOf(skill) === at)
    return treeNode({
      kind: 'agent',
      name,
      tokens: counter.count(prompt),
      description,
      hash,
      path,
      anySkill: skills === '*',
      children: [
        ...initialSkills.map((skill) => named(skill, 'initial')),
        ...more.map((skill) => named(skill)),
      ],
    })
  })
  const all = [...catalog.skills.values()]
  const ofPlugins = plugins.map((plugin) =>
    treeNode({
      kind: 'plugin',
      name: plugin.name,
      tokens: 0,
      description: plugin.description,
      path: plugin.folder,
      note: otherParts(plugin),
      children: all
        .filter(({ path }) => path !== undefined && isOfPlugin(path, plugin))
        .map((skill) => skillNode(skill)),
    }),
  )
  const skills = all.filter(({ name }) => !seen.skills.has(name)).map((skill) => skillNode(skill))
  const toolsets = [...catalog.toolsets.values()]
    .filter(({ name }) => !seen.toolsets.has(name))
    .map((toolset) => toolsetNode(toolset, toolsIn(toolset, catalog).map(toolOrMissing)))

  return [
    ...ofPlugins,
    ...agents,
    ...skills,
    ...catalog.shadowedSkills.map((skill) => skillNode(skill)),
    ...toolsets,
    ...[...catalog.components.values()].map(({ key: name, description, tools }) => {
      const children = tools.map((tool) => toolNode(tool))
      return treeNode({ kind: 'component', name, tokens: 0, description, children })
    }),
    ...catalog.globalTools.map((tool) => toolNode(tool)),
    ...[...catalog.rules.values()].map(({ topic: name, text, hash, path = null }) =>
      treeNode({ kind: 'rules', name, tokens: counter.count(text), hash, path }),
    ),
    ...unknownTools(diagnostics).map(({ name, file: path, message: description }) =>
      treeNode({ kind: 'tool', name, tokens: 0, description, path, note: 'unknown' }),
    ),
  ]
}

/** Returns the servers of a plugin, and its parts that are not read; null for a plugin that has only skills. */
function otherParts({ commands, agents, servers, others }: Plugin): string | null {
  const names = servers.flatMap(({ entries }) => Object.keys(entries))
  const unread = [
    ...(commands.length > 0 ? ['commands'] : []),
    ...(agents.length > 0 ? ['agents'] : []),
    ...others,
  ]
  const parts = [
    ...(names.length === 0 ? [] : [`servers: ${names.join(', ')}`]),
    ...(unread.length === 0 ? [] : [`not read: ${unread.join(', ')}`]),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

function missing(kind: 'skill' | 'toolset' | 'tool', name: string): TreeNode {
  return treeNode({ kind, name, tokens: 0, note: 'not there' })
}

/** Returns the tools of a toolset; a reference that matches no tool is returned itself. */
function toolsIn({ tools }: Toolset, { sharedTools }: Catalog): readonly (Tool | string)[] {
  return tools.map((tool) => {
    if (typeof tool !== 'string') return tool
    const reference = tryParseToolReference(tool)
    if (reference instanceof WorkspaceError) return tool
    return pickVersion(reference, sharedTools.get(reference.name) ?? []) ?? tool
  })
}

/** A definition with its children; an element of `list --tree --json`. */
export interface TreeNode {
  readonly kind: 'plugin' | 'agent' | 'skill' | 'toolset' | 'tool' | 'rules' | 'component'
  readonly name: string
  readonly description: string
  /** Tokens of its own text: a prompt, instructions, or a tool definition in a request. */
  readonly tokens: number
  /** The file it was read from; null for definitions in code, and for tools that are known. */
  readonly path: string | null
  readonly hash: ContentHash | null
  /** A remark on this occurrence: `initial`, `from "…"`, `shadowed`, `not there`, `unknown`. */
  readonly note: string | null
  /** True for an agent that may load every skill; the skills are then not its children. */
  readonly anySkill: boolean
  /** True when its children are listed under an earlier node of this name. */
  readonly repeated: boolean
  readonly children: readonly TreeNode[]
}

/** Returns a node with defaults for the properties that are not given. */
function treeNode(node: Pick<TreeNode, 'kind' | 'name' | 'tokens'> & Partial<TreeNode>): TreeNode {
  const { kind, name, tokens, ...more } = node
  return {
    kind,
    name,
    description: '',
    tokens,
    path: null,
    hash: null,
    note: null,
    anySkill: false,
    repeated: false,
    children: [],
    ...more,
  }
}
