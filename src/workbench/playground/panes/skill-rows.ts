import type { Catalog, SkillListing, WorkspaceReader } from '../../../entries/index.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { SKILL_SCOPES } from '../../project/config/skill-scope.ts'
import { skillId } from '../../report/facts/skills-report.ts'
import type { SkillDesk } from '../context/skill-desk.ts'
import { cachePerState } from '../../report/facts/cache-per-state.ts'
import { rowFilter } from '../rows/row-filter.ts'

/** A skill of the pane, or a broken skill file. */
export interface SkillRow extends SkillListing {
  readonly id: string
  /** Its depth in a tree. */
  readonly depth?: number
}

/** The skills of the pane. */
export interface SkillRows {
  readonly rows: readonly SkillRow[]
  readonly ids: readonly string[]
}

/** Lists the skills of a session that match a filter, in the order of the catalog, then broken files. */
export function skillRows(reader: WorkspaceReader, filter: string): SkillRows {
  return filteredSkills(reader, reader.store.getState().pending, filter)
}

const filteredSkills = cachePerState((reader, _pending: readonly string[], filter: string) =>
  withIds(matching(reader.skills(), filter).map((one) => ({ ...one, id: skillId(one) }))),
)

function withIds(rows: readonly SkillRow[]): SkillRows {
  return { rows, ids: rows.map(({ id }) => id) }
}

const matching = rowFilter<SkillListing>(({ name, skill, unread }) => [
  name,
  ...(unread === undefined
    ? [skill?.displayName ?? '', skill?.description ?? '', ...(skill?.tags ?? [])]
    : [unread.path]),
])

/** Lists skills by scope: those of the project, of the user, of other folders, and of code. */
export function rowsByScope(listed: SkillRows, desk: SkillDesk): SkillRows {
  return scopeCache([listed, desk], '', () => {
    const byScope = Map.groupBy(listed.rows, (row) => desk.scopeOf(row.unread ?? row.skill))
    return withIds(SKILL_SCOPES.flatMap((scope) => byScope.get(scope) ?? []))
  })
}

const scopeCache = identityMemo<SkillRows>()

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
    return withIds(rows)
  })
}
