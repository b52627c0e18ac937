import satisfies from 'semver/functions/satisfies.js'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { pickVersion } from '../../tools/definition/tool-reference.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import { readReference } from '../../tools/definition/read-reference.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { SkillTool } from './catalog.ts'
import { type Reference, unknownReference } from './unknown-reference.ts'

type PickedTool = Pick<SkillTool, 'tool' | 'picked'>

/** What tools and toolsets named by skills stand for. */
export interface ToolResolver {
  /** What a skill brings without `extends`: its tools, then those of its toolsets. */
  toolsOf(skill: Skill): readonly SkillTool[]
  toolsIn(toolset: Toolset): readonly PickedTool[]
  /** A finding when a reference picks no shared tool; claims nothing. */
  checkReference(from: Reference['from'], field: string, reference: string): void
  /**
   * Whether a skill or toolset resolved so far has a tool, by value or by name. A name claims
   * every version it could have picked, so that an older one is never left over.
   */
  isClaimed(tool: Tool): boolean
}

/** Resolve names among shared tools and toolsets; what is not there goes into `diagnostics`. */
export function toolResolver(
  shared: ReadonlyMap<string, readonly Tool[]>,
  toolsets: ReadonlyMap<string, Toolset>,
  diagnostics: Diagnostic[],
): ToolResolver {
  const unknownTool = unknownReference('tool', shared)
  const unknownToolset = unknownReference('toolset', toolsets)
  const resolved = new Map<string, readonly PickedTool[]>()
  const claimed = new Set<string>()

  const candidates = (from: Reference['from'], field: string, reference: string) => {
    const [only, ...more] = shared.get(reference) ?? []
    if (only !== undefined && more.length === 0) return [only]
    const wanted = readReference(reference)
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
    const tools = resolve({ kind: 'toolset', ...pathOf(toolset) }, toolset.tools)
    resolved.set(toolset.hash, tools)
    return tools
  }
  return {
    toolsIn,
    toolsOf(skill) {
      const from = { kind: 'skill', ...pathOf(skill) } as const
      const throughToolsets = skill.toolsets.flatMap((entry) => {
        const toolset = typeof entry === 'string' ? toolsets.get(entry) : entry
        if (toolset !== undefined) {
          return toolsIn(toolset).map((tool) => ({ ...tool, toolset: toolset.name }))
        }
        diagnostics.push(unknownToolset({ from, field: 'toolsets', to: String(entry) }))
        return []
      })
      return [...resolve(from, skill.tools), ...throughToolsets]
    },
    checkReference(from, field, reference) {
      candidates(from, field, reference)
    },
    isClaimed: ({ hash }) => claimed.has(hash),
  }
}

function pathOf({ name, path }: { readonly name: string; readonly path?: string }) {
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
    message: `The ${from.kind} "${from.name}" wants "${reference}", and no version of that tool fits.`,
    hint: `The catalog has ${versions.map(({ version }) => version).join(', ')}.`,
    ...(from.path !== undefined && { file: from.path }),
  }
}
