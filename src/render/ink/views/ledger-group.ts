/** What one source, skill or tool costs, or one part of a request. */
export interface LedgerRow {
  /** `source/skill`, `skill/pdf`, `tool/read_page`, `step/kept`. */
  readonly id: string
  readonly label: string
  readonly tokens: number
}

/** Rows of one kind. A share is a share of `whole`. */
export interface LedgerGroup {
  readonly title: string
  readonly whole: number
  readonly rows: readonly LedgerRow[]
}
