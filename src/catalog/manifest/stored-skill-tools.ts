import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { SkillTool } from '../create/catalog.ts'
import type { ToolResolver } from '../create/resolve-tools.ts'
import { collectSkillTools } from '../create/skill-tools.ts'
import type { LazyMap } from './lazy-map.ts'
import type { ManifestSkill } from './manifest.ts'

/**
 * What one skill brings, worked out when it is asked for. Skills that extend others are worked out
 * together with all that extend, as where `extends` goes in a circle one depends on the rest.
 */
export function storedSkillTools(
  records: readonly ManifestSkill[],
  skills: LazyMap<string, ManifestSkill, Skill>,
  { toolsOf }: Pick<ToolResolver, 'toolsOf'>,
): (record: ManifestSkill) => readonly SkillTool[] {
  // What is wrong with them was told when the manifest was built.
  const told: Diagnostic[] = []
  const collect = (names: Iterable<string>) => {
    const chosen = new Map<string, Skill>()
    for (const name of names) {
      const skill = skills.get(name)
      if (skill !== undefined) chosen.set(name, skill)
    }
    return collectSkillTools(chosen, toolsOf, told)
  }
  let heirs: ReadonlyMap<string, readonly SkillTool[]> | undefined
  return ({ name, extends: bases }) => {
    if (bases.length === 0) return collect([name]).get(name) ?? []
    heirs ??= collect(
      new Set(records.flatMap((one) => (one.extends.length > 0 ? [one.name, ...one.extends] : []))),
    )
    return heirs.get(name) ?? []
  }
}
