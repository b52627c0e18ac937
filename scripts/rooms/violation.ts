/** One place where a file breaks the order of the rooms. */
export interface Violation {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly rule: Rule
  readonly message: string
}

export type Rule =
  | 'unknown-room'
  | 'later-room'
  | 'neighbour-room'
  | 'other-adapter'
  | 'imports-entries'
  | 'outside-src'
  | 'impure-import'
  | 'impure-use'
  | 're-export'
  | 'file-name'
  | 'cycle'
  | 'private-import'
  | 'syntax'
