import type { SkillTool } from './catalog.ts'

/** The skills that bring a tool of a name, in the order of `skillTools`. */
export function bringersOf(
  skillTools: ReadonlyMap<string, readonly SkillTool[]>,
): Map<string, readonly string[]> {
  const bringers = new Map<string, string[]>()
  for (const [skill, tools] of skillTools) {
    for (const { tool } of tools) {
      const known = bringers.get(tool.name)
      if (known === undefined) bringers.set(tool.name, [skill])
      else known.push(skill)
    }
  }
  for (const names of bringers.values()) Object.freeze(names)
  return bringers
}
