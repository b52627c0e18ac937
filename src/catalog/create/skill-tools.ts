import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { dependencyOrder } from '../../skills/activation/dependency-order.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { SkillTool } from './catalog.ts'

/**
 * What every skill brings, in the order of skills: its own tools, then those of the skills
 * it extends, which bring along what they extend.
 *
 * One tool a name. The same tool reached twice counts once; of two different ones the first
 * is kept and the other reported. Where `extends` goes in a circle, the last link is left out.
 */
export function collectSkillTools(
  skills: ReadonlyMap<string, Skill>,
  toolsOf: (skill: Skill) => readonly SkillTool[],
  diagnostics: Diagnostic[],
): Map<string, readonly SkillTool[]> {
  const collected = new Map<string, readonly SkillTool[]>()
  const collect = (skill: Skill): void => {
    const extended = skill.extends.flatMap((base) =>
      (collected.get(base) ?? []).map((tool) => ({ extendedFrom: base, ...tool })),
    )
    collected.set(skill.name, oneOfEachName(skill, [...toolsOf(skill), ...extended], diagnostics))
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

function oneOfEachName(
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
        // Bringing a tool of one's own in place of an inherited one is often meant.
        severity: one.extendedFrom === undefined ? 'warning' : 'info',
        message: `The skill "${skill.name}" brings two different tools named "${one.tool.name}": the one ${wayOf(first)} is used, the one ${wayOf(one)} is not.`,
        hint: 'Rename one of them, or take one out.',
        ...(skill.path !== undefined && { file: skill.path }),
      })
    }
  }
  return Object.freeze([...kept.values()])
}

function wayOf({ tool, toolset, extendedFrom }: SkillTool): string {
  const through = [
    toolset !== undefined && `through the toolset "${toolset}"`,
    extendedFrom !== undefined && `from the skill "${extendedFrom}"`,
  ].filter((part) => part !== false)
  return `${through.length === 0 ? 'of its own' : through.join(' ')} (${tool.version})`
}
