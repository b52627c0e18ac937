import type { OpenSource } from './source-state.ts'

/** Whether two sources are one owner's. */
export function sameOwner(
  a: Pick<OpenSource, 'source' | 'owner'>,
  b: Pick<OpenSource, 'source' | 'owner'>,
): boolean {
  return a.source === b.source && a.owner === b.owner
}
