import type {
  ExtractionResult,
  ExtractionState,
  MemoryEntity,
  RememberedEntity,
} from '../model/memory-event.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/** Entities that are kept, one for each type and id. */
const MOST_ENTITIES = 10

/** Applies the end of a call to the use of its tool and to working memory. */
export function evolveMemory(
  state: WorkspaceState,
  { seq, at, event }: Omit<Entry, 'event'> & { readonly event: EventOf<'call.ended'> },
): Pick<WorkspaceState, 'used' | 'memory' | 'extractions'> {
  const { tool, ok, entities = [], extraction = null } = event
  const { memory } = state
  const lastResult = ok ? 'success' : 'error'
  return {
    used: state.used.map((one) => (one.tool === tool ? { ...one, lastResult, lastEnd: seq } : one)),
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

/**
 * Returns the newest entities, newest last. An entity that occurs again counts as new, with its new
 * name.
 */
function merged(
  known: readonly RememberedEntity[],
  found: readonly MemoryEntity[],
  seq: number,
  at: number,
): readonly RememberedEntity[] {
  return found
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
 * Results in a row without the declared entities that count as drift. One may be an exception. A
 * function that throws counts at once.
 */
const DRIFT_AFTER = 2

/** Returns the state of a tool's extraction after one more result. */
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
 * Returns the baseline of working memory: its state at this entry is sent until the next turn or
 * summary.
 */
export function memoryBaseline(
  { memory }: Pick<WorkspaceState, 'memory'>,
  seq: number,
): Pick<WorkspaceState, 'toldSince' | 'toldEntities'> {
  return { toldSince: seq, toldEntities: memory.entities }
}

/** Applies an entry about a fact: a note, or another mode. */
export function evolveFacts(
  { facts, policy }: Pick<WorkspaceState, 'facts' | 'policy'>,
  event: EventOf<'fact.noted' | 'policy.changed'>,
  seq: number,
): WorkspaceState['facts'] {
  if (event.type === 'policy.changed') {
    return event.policy.mode === policy.mode ? facts : { ...facts, modeSince: seq }
  }
  const { paths = [], event: noted, holds } = event
  const others = facts.events.filter((one) => one.event !== noted)
  return {
    paths:
      paths.length === 0 ? facts.paths : [...facts.paths, ...paths.map((path) => ({ path, seq }))],
    events: noted !== undefined && holds !== false ? [...others, { event: noted, seq }] : others,
    modeSince: facts.modeSince,
  }
}
