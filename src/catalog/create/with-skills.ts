import type { Skill } from '../../skills/definition/skill.ts'
import type { Catalog } from './catalog.ts'
import { createCatalog } from './create-catalog.ts'

/** The same catalog with other definitions of some skills, or with skills it does not have. */
export async function withSkills(catalog: Catalog, skills: readonly Skill[]): Promise<Catalog> {
  if (skills.length === 0) return catalog
  const names = new Set(skills.map(({ name }) => name))
  const others = [...catalog.skills.values()].filter(({ name }) => !names.has(name))
  return createCatalog({
    skills: [...skills, ...others, ...catalog.shadowedSkills],
    toolsets: [...catalog.toolsets.values()],
    tools: [...catalog.sharedTools.values()].flat(),
    components: [...catalog.components.values()],
    agents: [...catalog.agents.values()],
    rules: [...catalog.rules.values()],
    diagnostics: catalog.diagnostics,
  })
}
