import { bringersOf } from '../../catalog/create/bringers-of.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { freezeMap } from '../../catalog/create/freeze-map.ts'
import { withSkills } from '../../catalog/create/with-skills.ts'

/**
 * The catalog `after`, with some skills as they were in `before`: their definitions and the very
 * tools they brought, shared and inherited ones included, with their handlers.
 */
export async function catalogKeeping(
  after: Catalog,
  before: Catalog,
  names: readonly string[],
): Promise<Catalog> {
  const skills = names.flatMap((name) => before.skills.get(name) ?? [])
  if (skills.length === 0) return after
  const catalog = await withSkills(after, skills)
  const kept = new Map(skills.map(({ name }) => [name, before.skillTools.get(name) ?? []]))
  const skillTools = new Map([...catalog.skillTools, ...kept])
  const tools = [...kept.values()].flat().map(({ tool }) => [tool.hash, tool] as const)
  return Object.freeze<Catalog>({
    ...catalog,
    skillTools: freezeMap(skillTools),
    bringers: freezeMap(bringersOf(skillTools)),
    toolsByHash: freezeMap(new Map([...catalog.toolsByHash, ...tools])),
  })
}
