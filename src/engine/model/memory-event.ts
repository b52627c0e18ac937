/** A thing that a tool's result was about, kept in working memory. */
export interface MemoryEntity {
  /** Its type, such as `page`. */
  readonly type: string
  readonly id: string
  readonly name: string
}

/**
 * The outcome of the extraction from one result: `extracted` entities; `nothing-extracted` although
 * there were rows; `unlike-schema` when the result does not have the shape the tool declares;
 * `threw` when the tool's own function threw. `empty`, for an empty list or null, is no problem: a
 * tool may have nothing to report.
 */
export type ExtractionResult =
  'extracted' | 'empty' | 'nothing-extracted' | 'unlike-schema' | 'threw'

/** Events about working memory. */
export type MemoryEvent =
  /** A tool's results did not contain the entities it declares, several times in a row. */
  | {
      readonly type: 'extraction.drifted'
      readonly tool: string
      readonly call: string
      readonly what: 'nothing-extracted' | 'unlike-schema'
      readonly message: string
    }
  /** The host summarised the session so far; null removes the summary. */
  | { readonly type: 'memory.summarised'; readonly summary: string | null }

/** An entity with the latest entry that mentioned it. */
export interface RememberedEntity extends MemoryEntity {
  readonly seq: number
  /** Wall clock of that entry, milliseconds since 1970; for people only. */
  readonly at: number
}

/** The outcome of the extraction from one tool's results. */
export interface ExtractionState {
  readonly tool: string
  /** Results that were examined. */
  readonly results: number
  readonly entities: number
  /** The number of latest results in a row that gave nothing; empty ones are not counted. */
  readonly missed: number
  /** The latest results keep giving nothing, which was reported when it started. */
  readonly drifting: boolean
  readonly last: ExtractionResult
  readonly lastSeq: number
}
