import type {
  Catalog,
  SkillListing,
  WorkspaceReader,
  WorkspaceState,
} from '../../../entries/index.ts'
import type { SkillTableRow } from '../../../entries/ink-views.ts'
import { identityMemo, openSkill, refusedSkills, skillToolNames } from '../../../entries/kit.ts'
import type { SkillDesk } from '../context/skill-desk.ts'
import type { DiskChange } from '../context/ui-state.ts'
import { SKILL_SCOPES } from '../../project/config/skill-scope.ts'
import { cachePerState, rowCache } from '../rows/row-cache.ts'
import { rowFilter } from '../rows/row-filter.ts'

/**
 * A skill of the pane, or a broken skill file. Its id is its name, with its path when another skill
 * shadows it, or when the file is broken.
 */
export type SkillRow = SkillListing &
  SkillTableRow & {
    /** The text that a filter searches, in lower case. */
    readonly text: string
  }

/** The skills of the pane. */
export interface SkillRows {
  readonly rows: readonly SkillRow[]
  readonly ids: readonly string[]
  /** The number of active skills. */
  readonly active: number
}

/** Lists the skills of a session that match a filter, in the order of the catalog, then broken files. */
export function skillRows(
  reader: WorkspaceReader,
  filter: string,
  changes: readonly DiskChange[],
): SkillRows {
  return filteredSkills(reader, reader.store.getState().pending, filter, changes)
}

const filteredSkills = cachePerState(
  (
    reader,
    pending: readonly string[],
    filter: string,
    changes: readonly DiskChange[],
  ): SkillRows => {
    const rows = matching(allSkills(reader, pending, changes), filter)
    let active = 0
    for (const { lifetime } of rows) if (lifetime !== '') active += 1
    let ids: readonly string[] | undefined
    return {
      rows,
      active,
      // Most frames need no cursor in them.
      get ids() {
        return (ids ??= rows.map(({ id }) => id))
      },
    }
  },
)

const matching = rowFilter<SkillRow>(
  ({ text }) => text,
  ({ name }) => name.toLowerCase(),
)

/** All skills, listed once for all filters. */
const allSkills = cachePerState(
  (reader, _pending: readonly string[], changes: readonly DiskChange[]) => {
    const changed = new Map(changes.map(({ skill, what }) => [skill, what]))
    const refused = refusedSkills(reader.state.policy, reader.catalog)
    const rows = cachedRows(reader, reader.skills(), (listing) => skillRow(reader, listing))
    return rows.map((row) => {
      if (row.unread !== undefined) return row
      const change = changed.size === 0 ? '' : (changed.get(row.name) ?? '')
      // The rest of a lifetime can change while the listing stays the same.
      const off = row.status !== 'shadowed' && refused.has(row.name)
      const isSame = row.change === change && row.status === 'inactive' && !off
      return isSame ? row : { ...row, change, off, lifetime: lifetimeText(reader.state, row) }
    })
  },
)

const cachedRows = rowCache<WorkspaceReader, SkillListing, SkillRow>()

function skillRow(reader: WorkspaceReader, listing: SkillListing): SkillRow {
  const { name, status, skill, unread } = listing
  const shadowed = status === 'shadowed' ? (skill?.path ?? skill?.hash ?? 'shadowed') : null
  const place = unread?.path ?? shadowed
  const words = skill === undefined ? [] : [skill.displayName, skill.description, ...skill.tags]
  return {
    ...listing,
    id: place === null ? name : `${name} (${place})`,
    tools: skillToolNames(listing, reader.state, reader.catalog).length,
    lifetime: lifetimeText(reader.state, listing),
    change: '',
    tokens: null,
    text: [name, ...(unread === undefined ? words : [unread.path])].join('\n').toLowerCase(),
  }
}

/** Describes the remaining lifetime of an active skill; empty for an inactive one. */
function lifetimeText(state: WorkspaceState, { name, status, unread }: SkillListing): string {
  const open = status === 'shadowed' || unread !== undefined ? null : openSkill(state, name)
  if (open === null) return ''
  const { lifetime, usesLeft, turn, lastTurn } = open
  const left = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} left`
  if (usesLeft !== null) return left(usesLeft, 'use')
  if (lifetime === 'session' || 'uses' in lifetime) return 'session'
  const over = Math.max(0, state.turn - ('turns' in lifetime ? turn : lastTurn))
  return 'turns' in lifetime
    ? left(lifetime.turns - over, 'turn')
    : left(lifetime.idle - Math.max(0, over - 1), 'idle turn')
}

/** Lists skills by scope: those of the project, of the user, of other folders, and of code. */
export function rowsByScope(listed: SkillRows, desk: SkillDesk): SkillRows {
  return scopeCache([listed, desk], '', () => {
    const scoped = listed.rows.map((row) => ({
      ...row,
      scope: desk.scopeOf(row.unread ?? row.skill),
    }))
    const rows = SKILL_SCOPES.flatMap((scope) => scoped.filter((row) => row.scope === scope))
    return { ...listed, rows, ids: rows.map(({ id }) => id) }
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
    return { ...listed, rows, ids: rows.map(({ id }) => id) }
  })
}
