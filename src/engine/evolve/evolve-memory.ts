import type { ExtractionState, RememberedEntity } from '../model/discovery-state.ts'
import type { Entry, WorkspaceEvent } from '../model/event.ts'
import type { MemoryEntity } from '../model/memory-event.ts'
import type { ToolUse } from '../model/call-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import { takeUp } from './take-up.ts'

/** Entities that are remembered, one a type and id. */
const MOST_ENTITIES = 10

type CallEnded = Extract<WorkspaceEvent, { type: 'call.ended' }>

/** What the end of a call leaves in the uses of its tool and in working memory. */
export function rememberCall(
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
        : takenUp(state.extractions, { tool, last: extraction, found: entities.length, seq }),
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

function takenUp(
  extractions: readonly ExtractionState[],
  { tool, ...result }: Parameters<typeof takeUp>[1],
): readonly ExtractionState[] {
  const known = extractions.find((one) => one.tool === tool)
  return [...extractions.filter((one) => one !== known), takeUp(known, { tool, ...result })]
}
