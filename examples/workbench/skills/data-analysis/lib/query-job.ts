/** A value as an answer carries it: what JSON has no number for is text. */
export type AnswerCell = string | number | null

/** What the query process is asked to do. */
export interface QueryJob {
  readonly database: string
  readonly queries: readonly string[]
  /** Rows of each answer. */
  readonly limit: number
  /** Characters of each text. */
  readonly characters: number
  readonly timeoutMs: number
}

export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly AnswerCell[])[]
  /** False when there were more rows than the answer carries. */
  readonly complete: boolean
}

/** What the query process prints. */
export type QueryReport =
  | { readonly ok: true; readonly answers: readonly QueryAnswer[] }
  | { readonly ok: false; readonly message: string }
