import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { byName } from '../../kernel/by-name.ts'
import { type UniqueByName, uniqueByName } from './unique-by-name.ts'

/**
 * The toolsets a catalog is given and those its skills hold by value, one a name.
 *
 * A skill whose own toolset lost its name to another keeps it; only by name it is not found.
 */
export function gatherToolsets(
  given: readonly Toolset[],
  skills: Iterable<Skill>,
): UniqueByName<Toolset> {
  const { unique, shadowed, diagnostics } = uniqueByName('toolset', given)
  const clashes: Diagnostic[] = []
  for (const skill of skills) {
    for (const toolset of skill.toolsets) {
      if (typeof toolset === 'string') continue
      const first = unique.get(toolset.name)
      if (first === undefined) unique.set(toolset.name, toolset)
      else if (first.hash !== toolset.hash) clashes.push(clash(skill, toolset))
    }
  }
  return {
    unique: new Map([...unique].sort(([a], [b]) => byName(a, b))),
    shadowed,
    diagnostics: [...diagnostics, ...clashes],
  }
}

function clash(skill: Skill, { name }: Toolset): Diagnostic {
  return {
    code: 'duplicate-toolset',
    severity: 'warning',
    message: `The skill "${skill.name}" brings a toolset "${name}" of its own, and the catalog has another one of that name.`,
    hint: 'Rename one of the two: by name only the one of the catalog is found.',
    ...(skill.path !== undefined && { file: skill.path }),
  }
}
