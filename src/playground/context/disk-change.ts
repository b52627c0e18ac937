/** A skill that changed on disk since it was read. */
export interface DiskChange {
  readonly skill: string
  readonly what: 'added' | 'changed' | 'removed' | 'broken'
  readonly text: string
}
