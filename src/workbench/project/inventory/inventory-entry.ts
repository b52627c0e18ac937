import { basename, dirname } from 'node:path'

/** The use that is made of a definition on disk, or the kind of reason why none is made. */
export type InventoryState =
  | 'read'
  | 'linked'
  | 'shadowed'
  | 'broken'
  | 'misspelt'
  | 'one-file'
  | 'link-out'
  | 'link-broken'
  | 'cut'
  | 'nested'
  | 'other-client'
  | 'plugin'
  | 'command'
  | 'agent'
  | 'above'
  | 'below'
  | 'package'
  | 'elsewhere'

/** A skill on disk, or something that a person may take for one. */
export interface InventoryEntry {
  readonly name: string
  readonly path: string
  readonly state: InventoryState
  /** The reason why it is not loaded; for one that is read through a link, where the link leads. */
  readonly reason: string
  /** One command, or one change of a file, after which it is loaded; empty for one that is read. */
  readonly fix: string
}

/** States that are a mistake of somebody, and not a choice. */
export const MISTAKES: ReadonlySet<InventoryState> = new Set<InventoryState>([
  'broken',
  'misspelt',
  'one-file',
  'link-out',
  'link-broken',
  'cut',
])

/** Returns true for an entry that a person means by a name: of the skill, of its folder or of its file. */
export function isNamed(entry: InventoryEntry, name: string): boolean {
  const wanted = name.replace(/^\//, '').toLowerCase()
  const last = basename(entry.path, '.md')
  const folder = /^skill$/i.test(last) ? basename(dirname(entry.path)) : last
  const own = entry.name.toLowerCase()
  return [own, folder.toLowerCase(), own.split(':').at(-1)].includes(wanted)
}
