/** Something a tool's result was about, kept in working memory. */
export interface MemoryEntity {
  /** What it is, such as `page`. */
  readonly type: string
  readonly id: string
  readonly name: string
}

/**
 * What became of the extraction from one result: entities came of it, or nothing although there
 * were rows, or the result was not shaped as the tool says, or the tool's own function threw.
 * An empty list, or null, is no finding: a tool may have nothing to tell.
 */
export type ExtractionResult =
  'extracted' | 'empty' | 'nothing-extracted' | 'unlike-schema' | 'threw'

/** Facts about working memory. */
export type MemoryEvent =
  /** A tool's results do not give the entities it promises, so often in a row that it is reported. */
  | {
      readonly type: 'extraction.drifted'
      readonly tool: string
      readonly call: string
      readonly what: 'nothing-extracted' | 'unlike-schema'
      readonly message: string
    }
  /** The host summarised what happened so far; null takes the summary away. */
  | { readonly type: 'memory.summarised'; readonly summary: string | null }

/** An entity with the entry that told of it last, and when that was. */
export interface RememberedEntity extends MemoryEntity {
  readonly seq: number
  /** Wall clock of that entry, milliseconds since 1970; for people only. */
  readonly at: number
}

/** How the results of one tool were taken up into memory. */
export interface ExtractionState {
  readonly tool: string
  /** Results that were looked at. */
  readonly results: number
  readonly entities: number
  /** How many of the latest in a row gave nothing; those with nothing to tell are not counted. */
  readonly missed: number
  /** They go on giving nothing, which was reported when it began. */
  readonly drifting: boolean
  readonly last: ExtractionResult
  readonly lastSeq: number
}
