/** What became of one thing that was to be imported. */
export interface ImportItem {
  /** `taken` as it is; `changed`: taken, and the notes say how it differs; `left` where it is. */
  readonly outcome: 'taken' | 'changed' | 'left'
  readonly kind: 'skill' | 'command' | 'agent' | 'toolset' | 'tool' | 'rules' | 'settings' | 'file'
  readonly name: string
  /** Where it stood, from the folder that was imported; null when it came out of a manifest. */
  readonly from: string | null
  /** The file that defines it now, from the folder that was written; null when it was left. */
  readonly to: string | null
  readonly notes: readonly string[]
}

/** An item that was taken, as it is when there is nothing to note. */
export function takenItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  to: string,
  notes: readonly string[] = [],
): ImportItem {
  return { outcome: notes.length === 0 ? 'taken' : 'changed', kind, name, from, to, notes }
}

/** An item that stays where it is, and why. */
export function leftItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  why: string,
): ImportItem {
  return { outcome: 'left', kind, name, from, to: null, notes: [why] }
}
