/** Something a host should know about how its session opened. Each has an entry in the log. */
export interface OpeningNotice {
  readonly code: string
  readonly message: string
  readonly hint: string
}
