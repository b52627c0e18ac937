import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { Catalog } from '../../create/catalog.ts'

/**
 * Skills that bring different tools of one name: the second to be activated is refused, unless it
 * says what else should happen (`on-conflict`) or the two exclude each other anyway.
 */
export function checkSharedNames({ skills, skillTools }: Catalog): readonly Diagnostic[] {
  const first = new Map<string, { readonly skill: string; readonly hash: string }>()
  const found: Diagnostic[] = []
  for (const [name, tools] of skillTools) {
    const skill = skills.get(name)
    for (const { tool } of tools) {
      const before = first.get(tool.name)
      if (before === undefined) {
        first.set(tool.name, { skill: name, hash: tool.hash })
        continue
      }
      const other = skills.get(before.skill)
      if (before.hash === tool.hash || skill === undefined || other === undefined) continue
      if (skill.onConflict !== 'refuse' || skill.exclusive || other.exclusive) continue
      if (skill.conflicts.includes(other.name) || other.conflicts.includes(name)) continue
      found.push({
        code: 'tool-name-taken',
        severity: 'warning',
        message: `The skills "${other.name}"${fileOf(other)} and "${name}"${fileOf(skill)} bring different tools named "${tool.name}": only one of the two can be active.`,
        hint: 'Rename one of the tools, or set `loadout.on-conflict` to shadow or namespace.',
        ...(skill.path !== undefined && { file: skill.path }),
      })
    }
  }
  return found
}

function fileOf({ path }: { readonly path?: string }): string {
  return path === undefined ? '' : ` (${path})`
}
