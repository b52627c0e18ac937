import type { ToolComponent } from '../../components/tool-component.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TopicRules } from '../../tools/rule.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { bringersOf } from './bringers-of.ts'
import { byName } from '../../kernel/by-name.ts'
import { catalogHash } from './catalog-hash.ts'
import type { Catalog } from './catalog.ts'
import { checkAgents } from './check-agents.ts'
import { checkSkillLinks } from './check-skill-links.ts'
import { componentHash } from './component-hash.ts'
import { freezeMap } from './freeze-map.ts'
import { gatherRules } from './gather-rules.ts'
import { gatherToolsets } from './gather-toolsets.ts'
import { globalTools } from './global-tools.ts'
import { checkLookAlikes } from './check-look-alikes.ts'
import { toolResolver } from './resolve-tools.ts'
import { shareTools } from './shared-tools.ts'
import { collectSkillTools } from './skill-tools.ts'
import { indexByHash } from './tools-by-hash.ts'
import { uniqueByName } from './unique-by-name.ts'
import { uniqueComponents } from './unique-components.ts'

/** What a catalog is made of. Of two definitions of one kind and name, the first given is used. */
export interface CatalogInput {
  readonly skills?: readonly Skill[]
  readonly toolsets?: readonly Toolset[]
  /** Shared tools: for skills and toolsets to name, global when none does. */
  readonly tools?: readonly Tool[]
  readonly components?: readonly ToolComponent[]
  readonly agents?: readonly Agent[]
  /** Rules by topic, such as the files of a `rules` folder. */
  readonly rules?: readonly TopicRules[]
  /** Findings of whoever loaded the rest. */
  readonly diagnostics?: readonly Diagnostic[]
}

/**
 * Put definitions together: resolve what they name, find what is wrong, index and hash.
 *
 * Never fails over a bad definition: it is left out or does without, and `diagnostics` says
 * so. The order of the input matters only where a name is given twice. A toolset that a skill
 * holds by value can be named by other skills too. Takes time linear in the definitions.
 */
export async function createCatalog(input: CatalogInput): Promise<Catalog> {
  const given = input.skills ?? []
  const skills = uniqueByName('skill', given.filter(isLoaded))
  const agents = uniqueByName('agent', input.agents ?? [])
  const components = uniqueComponents(input.components ?? [])
  const toolsets = gatherToolsets(input.toolsets ?? [], skills.unique.values())
  const shared = shareTools(input.tools ?? [])
  const rules = gatherRules(input.rules ?? [])
  const diagnostics: Diagnostic[] = [
    ...(input.diagnostics ?? []),
    ...given.flatMap((skill) => skill.diagnostics),
    ...[skills, toolsets, agents, components, shared, rules].flatMap((kind) => kind.diagnostics),
  ]

  const resolver = toolResolver(shared.tools, toolsets.unique, diagnostics)
  const skillTools = collectSkillTools(skills.unique, resolver.toolsOf, diagnostics)
  const tools = [
    ...[...shared.tools.values()].flat(),
    ...[...skillTools.values()].flat().map(({ tool }) => tool),
    ...[...toolsets.unique.values()].flatMap(resolver.toolsIn).map(({ tool }) => tool),
    ...[...components.unique.values()].flatMap((component) => component.tools),
  ]
  const toolsByHash = indexByHash(tools, diagnostics)
  diagnostics.push(
    ...checkSkillLinks(skills.unique),
    ...checkAgents(agents.unique, skills.unique, resolver),
    ...checkLookAlikes('skill', skills.unique.keys()),
    ...checkLookAlikes('toolset', toolsets.unique.keys()),
    ...checkLookAlikes('agent', agents.unique.keys()),
    ...checkLookAlikes('tool', new Set(tools.map(({ name }) => name).sort(byName))),
  )
  return Object.freeze<Catalog>({
    hash: catalogHash({
      skills: skills.unique.values(),
      toolsets: toolsets.unique.values(),
      agents: agents.unique.values(),
      components: Array.from(components.unique.values(), componentHash),
      tools: [...shared.tools.values()].flat(),
      rules: rules.unique.values(),
    }),
    skills: freezeMap(skills.unique),
    shadowedSkills: Object.freeze(skills.shadowed),
    toolsets: freezeMap(toolsets.unique),
    agents: freezeMap(agents.unique),
    components: freezeMap(components.unique),
    sharedTools: freezeMap(shared.tools),
    globalTools: globalTools(shared.tools, resolver.isClaimed),
    skillTools: freezeMap(skillTools),
    rules: freezeMap(rules.unique),
    bringers: freezeMap(bringersOf(skillTools)),
    toolsByHash: freezeMap(toolsByHash),
    diagnostics: onceEach(diagnostics),
  })
}

/** A skill with an error is one its loader could not make sense of. */
function isLoaded({ diagnostics }: Skill): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error')
}

/** A finding that a loader and its skill both carry is listed once. */
function onceEach(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map((one) => [JSON.stringify(one), Object.freeze({ ...one })]))
  return Object.freeze([...unique.values()])
}
