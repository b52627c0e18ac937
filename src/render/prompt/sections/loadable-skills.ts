import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'

/** The skills an agent may load beside its initial ones, in the catalog's order. */
export function loadableSkills(catalog: Catalog, agent: Agent | null): Skill[] {
  const initial = new Set(agent?.initialSkills)
  const allowed = agent === null || agent.skills === '*' ? null : new Set(agent.skills)
  return [...catalog.skills.values()].filter(
    ({ name }) => !initial.has(name) && (allowed === null || allowed.has(name)),
  )
}
