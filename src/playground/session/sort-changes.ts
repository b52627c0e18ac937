import type { DiskChange } from '../context/disk-change.ts'

/** Changes on disk by what becomes of them. */
export interface SortedChanges {
  /** Kept as they were: broken, or equipped and not accepted yet. */
  readonly waiting: readonly DiskChange[]
  /** Taken at once. */
  readonly taken: readonly DiskChange[]
}

/** What is equipped waits until it is accepted; what broke, until it is whole again. */
export function sortChanges(
  changes: readonly DiskChange[],
  equipped: readonly string[],
): SortedChanges {
  const waits = ({ what, skill }: DiskChange) => {
    switch (what) {
      case 'broken':
        return true
      case 'changed':
      case 'removed':
        return equipped.includes(skill)
      case 'added':
        return false
    }
  }
  return {
    waiting: changes.filter(waits).map((change) => ({ ...change, text: withOutlook(change) })),
    taken: changes.filter((change) => !waits(change)),
  }
}

function withOutlook({ what, text }: DiskChange): string {
  return what === 'broken'
    ? `${text} It stays as it was last.`
    : `${text} It stays as it was until this is accepted.`
}

/** Told one by one; more are counted. */
const TOLD = 3

/** A few changes in full, many as numbers: `4 changed, 12 added on disk.` */
export function tellChanges(changes: readonly DiskChange[]): string {
  if (changes.length <= TOLD) return changes.map(told).join(' ')
  const counts = new Map<DiskChange['what'], number>()
  for (const { what } of changes) counts.set(what, (counts.get(what) ?? 0) + 1)
  return `${[...counts].map(([what, count]) => `${count} ${what}`).join(', ')} on disk.`
}

function told({ skill, what, text }: DiskChange): string {
  return `${skill} ${what}: ${text}`
}
