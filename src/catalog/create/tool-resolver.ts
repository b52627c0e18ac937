import satisfies from 'semver/functions/satisfies.js'
import { ownServers, type SkillTool } from './catalog.ts'
import { type Reference, unknownReference } from './unknown-reference.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { dependencyOrder } from '../../skills/activation/dependency-order.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { pickVersion, tryParseToolReference } from '../../tools/definition/parse-tool-reference.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'

type PickedTool = Pick<SkillTool, 'tool' | 'picked'>

/** Resolves the tools and toolsets that skills name. */
export interface ToolResolver {
  /** Returns the tools of a skill without `extends`: its own, those of its toolsets, and the stored ones of servers. */
  toolsOf(skill: Skill): readonly SkillTool[]
  toolsIn(toolset: Toolset): readonly PickedTool[]
  /** Reports a reference that picks no shared tool. Claims nothing. */
  checkReference(from: Reference['from'], field: string, reference: string): void
  /**
   * Returns true if a skill or toolset that was resolved so far has the tool, by value or by name. A
   * name claims every version it could have picked, so that no older version becomes global.
   */
  isClaimed(tool: Tool): boolean
}

/** Creates a resolver of names among shared tools, toolsets and servers. Unknown names go into `diagnostics`. */
export function toolResolver(
  shared: ReadonlyMap<string, readonly Tool[]>,
  toolsets: ReadonlyMap<string, Toolset>,
  diagnostics: Diagnostic[] = [],
  servers: ReadonlyMap<string, ToolServer> = new Map(),
): ToolResolver {
  const unknownTool = unknownReference('tool', shared)
  const unknownToolset = unknownReference('toolset', toolsets)
  const resolved = new Map<string, readonly PickedTool[]>()
  const claimed = new Set<string>()

  const candidates = (from: Reference['from'], field: string, reference: string) => {
    const [only, ...more] = shared.get(reference) ?? []
    if (only !== undefined && more.length === 0) return [only]
    const wanted = tryParseToolReference(reference)
    if (wanted instanceof WorkspaceError) {
      diagnostics.push(badReference(from, field, wanted))
      return []
    }
    const versions = shared.get(wanted.name)
    const tool = versions && pickVersion(wanted, versions)
    if (versions === undefined) diagnostics.push(unknownTool({ from, field, to: wanted.name }))
    else if (tool === undefined) diagnostics.push(noSuchVersion(from, reference, versions))
    else {
      const { range } = wanted
      const others = versions.filter(({ version }) => range === '*' || satisfies(version, range))
      return [tool, ...others]
    }
    return []
  }
  const resolve = (
    from: Reference['from'],
    entries: readonly (Tool | string)[],
  ): readonly PickedTool[] =>
    entries.flatMap((entry) => {
      const tools = typeof entry === 'string' ? candidates(from, 'tools', entry) : [entry]
      for (const { hash } of tools) claimed.add(hash)
      const [tool] = tools
      return tool === undefined ? [] : { tool, picked: typeof entry === 'string' }
    })
  const toolsIn = (toolset: Toolset) => {
    const known = resolved.get(toolset.hash)
    if (known !== undefined) return known
    const tools = resolve({ kind: 'toolset', ...withPath(toolset) }, toolset.tools)
    resolved.set(toolset.hash, tools)
    return tools
  }
  return {
    toolsIn,
    toolsOf(skill) {
      const from = { kind: 'skill', ...withPath(skill) } as const
      const throughToolsets = skill.toolsets.flatMap((entry) => {
        const toolset = typeof entry === 'string' ? toolsets.get(entry) : entry
        if (toolset !== undefined) {
          return toolsIn(toolset).map((tool) => ({ ...tool, toolset: toolset.name }))
        }
        diagnostics.push(unknownToolset({ from, field: 'toolsets', to: String(entry) }))
        return []
      })
      const ofServers = ownServers(skill, toolsets).flatMap((server) =>
        (servers.get(server)?.listing?.tools ?? []).map((tool) => ({
          tool,
          picked: false,
          server,
        })),
      )
      return [...resolve(from, skill.tools), ...throughToolsets, ...ofServers]
    },
    checkReference(from, field, reference) {
      candidates(from, field, reference)
    },
    isClaimed: ({ hash }) => claimed.has(hash),
  }
}

function withPath({ name, path }: { readonly name: string; readonly path?: string }) {
  return path === undefined ? { name } : { name, path }
}

function badReference(
  from: Reference['from'],
  field: string,
  { message, hint }: WorkspaceError,
): Diagnostic {
  return {
    code: 'invalid-tool-reference',
    severity: 'warning',
    message: `In the ${field} of the ${from.kind} "${from.name}": ${message}`,
    hint,
    ...(from.path !== undefined && { file: from.path }),
  }
}

function noSuchVersion(
  from: Reference['from'],
  reference: string,
  versions: readonly Tool[],
): Diagnostic {
  return {
    code: 'unknown-tool',
    severity: 'warning',
    message: `The ${from.kind} "${from.name}" names "${reference}", but no version of that tool matches.`,
    hint: `The catalog has ${versions.map(({ version }) => version).join(', ')}.`,
    ...(from.path !== undefined && { file: from.path }),
  }
}

/**
 * Collects the tools of every skill, in the order of skills: its own tools, then those of the skills
 * it extends, including the tools that these inherit.
 *
 * Each name has one tool. The same tool found twice counts once; of two different tools the first is
 * kept and the other reported. If `extends` forms a circle, its last link is ignored.
 */
export function collectSkillTools(
  skills: ReadonlyMap<string, Skill>,
  toolsOf: (skill: Skill) => readonly SkillTool[],
  diagnostics: Diagnostic[] = [],
): Map<string, readonly SkillTool[]> {
  const collected = new Map<string, readonly SkillTool[]>()
  const collect = (skill: Skill): void => {
    const extended = skill.extends.flatMap((base) =>
      (collected.get(base) ?? []).map((tool) => ({ extendedFrom: base, ...tool })),
    )
    collected.set(skill.name, onePerName(skill, [...toolsOf(skill), ...extended], diagnostics))
  }
  const all = [...skills.values()]
  for (const skill of all.filter((one) => one.extends.length === 0)) collect(skill)
  const heirs = all.filter((one) => one.extends.length > 0).map(({ name }) => name)
  const { order } = dependencyOrder(heirs, (name) => skills.get(name)?.extends)
  for (const name of order) {
    const skill = skills.get(name)
    if (skill !== undefined && !collected.has(name)) collect(skill)
  }
  return new Map(all.map(({ name }) => [name, collected.get(name) ?? []]))
}

function onePerName(
  skill: Skill,
  tools: readonly SkillTool[],
  diagnostics: Diagnostic[],
): readonly SkillTool[] {
  const kept = new Map<string, SkillTool>()
  for (const one of tools) {
    const first = kept.get(one.tool.name)
    if (first === undefined) kept.set(one.tool.name, Object.freeze(one))
    else if (first.tool.hash !== one.tool.hash) {
      diagnostics.push({
        code: 'tool-clash',
        // Replacing an inherited tool by one of its own is often intended.
        severity: one.extendedFrom === undefined ? 'warning' : 'info',
        message: `The skill "${skill.name}" has two different tools named "${one.tool.name}": the one ${describeOrigin(first)} is used, the one ${describeOrigin(one)} is not.`,
        hint: 'Rename or remove one of them.',
        ...(skill.path !== undefined && { file: skill.path }),
      })
    }
  }
  return Object.freeze([...kept.values()])
}

function describeOrigin({ tool, toolset, extendedFrom, server }: SkillTool): string {
  const through = [
    server !== undefined && `of the server "${server}"`,
    toolset !== undefined && `through the toolset "${toolset}"`,
    extendedFrom !== undefined && `from the skill "${extendedFrom}"`,
  ].filter((part) => part !== false)
  return `${through.length === 0 ? 'of its own' : through.join(' ')} (${tool.version})`
}
