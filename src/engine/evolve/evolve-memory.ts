import type { ToolUse } from '../model/call-event.ts'
import type {
  ExtractionResult,
  ExtractionState,
  MemoryEntity,
  RememberedEntity,
} from '../model/memory-event.ts'
import type { Entry, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/** Entities that are remembered, one a type and id. */
const MOST_ENTITIES = 10

type CallEnded = Extract<WorkspaceEvent, { type: 'call.ended' }>

/** What the end of a call leaves in the uses of its tool and in working memory. */
export function evolveMemory(
  state: WorkspaceState,
  { seq, at, event }: Omit<Entry, 'event'> & { readonly event: CallEnded },
): Pick<WorkspaceState, 'used' | 'memory' | 'extractions'> {
  const { tool, ok, entities = [], extraction = null } = event
  const { memory } = state
  return {
    used: ended(state.used, tool, ok ? 'success' : 'error'),
    memory:
      entities.length === 0
        ? memory
        : { ...memory, entities: merged(memory.entities, entities, seq, at) },
    extractions:
      extraction === null
        ? state.extractions
        : withExtraction(state.extractions, {
            tool,
            last: extraction,
            found: entities.length,
            seq,
          }),
  }
}

function ended(
  used: readonly ToolUse[],
  tool: string,
  lastResult: ToolUse['lastResult'],
): readonly ToolUse[] {
  return used.map((one) => (one.tool === tool ? { ...one, lastResult } : one))
}

/** The newest entities, the newest last; one that is told of again is new, and goes by its new name. */
function merged(
  known: readonly RememberedEntity[],
  told: readonly MemoryEntity[],
  seq: number,
  at: number,
): readonly RememberedEntity[] {
  return told
    .reduce<readonly RememberedEntity[]>(
      (entities, { type, id, name }) => [
        ...entities.filter((one) => one.type !== type || one.id !== id),
        { type, id, name, seq, at },
      ],
      known,
    )
    .slice(-MOST_ENTITIES)
}

function withExtraction(
  extractions: readonly ExtractionState[],
  { tool, ...result }: Parameters<typeof nextExtraction>[1],
): readonly ExtractionState[] {
  const known = extractions.find((one) => one.tool === tool)
  return [...extractions.filter((one) => one !== known), nextExtraction(known, { tool, ...result })]
}

/**
 * Results in a row without what a tool promises that make drift. One may be an odd answer; two are
 * a habit. A function that throws is wrong the first time.
 */
const DRIFT_AFTER = 2

/** How the results of a tool are taken up, after one more. */
export function nextExtraction(
  known: ExtractionState | undefined,
  { tool, last, found, seq }: { tool: string; last: ExtractionResult; found: number; seq: number },
): ExtractionState {
  const { results = 0, entities = 0, missed = 0, drifting = false } = known ?? {}
  const after = { tool, results: results + 1, entities: entities + found, last, lastSeq: seq }
  switch (last) {
    case 'extracted':
      return { ...after, missed: 0, drifting: false }
    case 'empty':
      return { ...after, missed, drifting }
    case 'nothing-extracted':
    case 'unlike-schema':
      return { ...after, missed: missed + 1, drifting: drifting || missed + 1 >= DRIFT_AFTER }
    case 'threw':
      return { ...after, missed: missed + 1, drifting: true }
  }
}

/**
 * Working memory from an entry on is told as it is now, until the next such entry: the beginning of
 * a turn, or a summary of the history.
 */
export function memoryBaseline(
  { memory }: Pick<WorkspaceState, 'memory'>,
  seq: number,
): Pick<WorkspaceState, 'toldSince' | 'toldEntities'> {
  return { toldSince: seq, toldEntities: memory.entities }
}
