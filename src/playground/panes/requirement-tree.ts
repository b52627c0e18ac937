import type { Catalog } from '../../catalog/create/catalog.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import type { SkillRow, SkillRows } from './skill-rows.ts'

const treeCache = identityMemo<SkillRows>()

/**
 * Lists skills below those that require them: first the skills that no listed skill requires. A skill that several
 * require is below each of them, and what it requires itself only below the first.
 */
export function requirementTree(listed: SkillRows, { skills }: Pick<Catalog, 'skills'>): SkillRows {
  return treeCache([listed, skills], '', () => {
    const usable = new Map(
      listed.rows.flatMap((row) => (row.id === row.name ? [[row.name, row]] : [])),
    )
    const requiredBy = ({ name }: SkillRow) =>
      (skills.get(name)?.requires ?? []).flatMap((one) => usable.get(one) ?? [])
    const required = new Set([...usable.values()].flatMap(requiredBy))
    const rows: SkillRow[] = []
    const seen = new Set<SkillRow>()
    const add = (row: SkillRow, above: readonly string[]) => {
      const isFirst = !seen.has(row)
      seen.add(row)
      const id = isFirst ? row.id : `${row.id} for ${above.at(-1)}`
      rows.push(above.length === 0 ? row : { ...row, id, depth: above.length })
      if (isFirst) for (const one of requiredBy(row)) add(one, [...above, row.name])
    }
    for (const row of listed.rows) if (!required.has(row)) add(row, [])
    // Skills that require each other are reported by lint.
    for (const row of listed.rows) if (!seen.has(row)) add(row, [])
    return { ...listed, rows, ids: rows.map(({ id }) => id) }
  })
}
