import type { ExtractionResult, MemoryEntity } from '../../engine/model/memory-event.ts'

/** What became of one result, its entities as they were found: anything may stand in them. */
export interface RawExtraction {
  readonly result: ExtractionResult
  readonly entities: readonly Readonly<Record<keyof MemoryEntity, unknown>>[]
  /** What is wrong, or would be if no entity is whole. */
  readonly message?: string
}
