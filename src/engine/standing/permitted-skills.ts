import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { isPermitted } from './is-permitted.ts'

type Skills = Catalog['skills']

const lists = new WeakMap<Skills, WeakMap<Agent | Skills, readonly string[]>>()

/**
 * The skills of a catalog that an agent may load, by id, in the catalog's order.
 *
 * The same list for every session of both: a session of its own would grow with the catalog,
 * and what is made of the list can be kept by its identity.
 */
export function permittedSkills(agent: Agent | null, { skills }: Catalog): readonly string[] {
  const byAgent = lists.get(skills) ?? new WeakMap<Agent | Skills, readonly string[]>()
  lists.set(skills, byAgent)
  const known =
    byAgent.get(agent ?? skills) ?? [...skills.keys()].filter((name) => isPermitted(agent, name))
  byAgent.set(agent ?? skills, known)
  return known
}
