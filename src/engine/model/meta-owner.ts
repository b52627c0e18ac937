import type { OpenSource } from './source-state.ts'

/** The owner, of source `global`, of the meta-tools; theirs are the names nobody can shadow. */
export const META_OWNER = 'loadout'

/** Whether a source is the one that brings the meta-tools. */
export function isMeta({ source, owner }: Pick<OpenSource, 'source' | 'owner'>): boolean {
  return source === 'global' && owner === META_OWNER
}
