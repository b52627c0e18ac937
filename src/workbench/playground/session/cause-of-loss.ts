import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import type { RequestChange } from '../../../entries/plan.ts'

/**
 * Returns the entry that changed the part where a request starts to differ from the one before: the last such entry
 * since that step. Null when the log does not say.
 *
 * @param until number of the last entry before the request
 */
export function causeOfLoss(
  entries: readonly Entry[],
  until: number,
  { segment, part }: Pick<RequestChange, 'segment' | 'part'>,
): Entry | null {
  let step = until
  while (step >= 0 && entries[step]?.event.type !== 'step.begun') step -= 1
  const since = entries.slice(step + 1, until + 1)
  const own = since.findLast(({ seq, event }) =>
    segment === 'tools'
      ? changedTools(event, entries, seq).includes(part)
      : segment === 'conversation' && event.type === 'session.compacted',
  )
  if (own !== undefined) return own
  // These may change all of a request.
  const wide = new Set(['catalog.taken', 'policy.changed'])
  return since.findLast(({ event }) => wide.has(event.type)) ?? null
}

/** Returns the names of the tools that an event adds, removes or changes. */
function changedTools(
  event: WorkspaceEvent,
  entries: readonly Entry[],
  seq: number,
): readonly string[] {
  if (event.type === 'source.opened' || event.type === 'source.accepted') return claimed(event)
  if (event.type === 'source.synced') return [...claimed(event), ...event.removed]
  if (event.type === 'source.closed') return event.names ?? ownedBefore(event.owner, entries, seq)
  if (event.type === 'tool.switched' || event.type === 'tool.accepted') return [event.tool]
  if (event.type === 'tools_enabled') return event.tools.map(({ name }) => name)
  if (event.type === 'tools_evicted') return event.tools
  return []
}

function claimed({ claims }: { readonly claims: readonly { readonly name: string }[] }) {
  return claims.map(({ name }) => name)
}

/** Returns the names of the tools that an owner had at some time before an entry. */
function ownedBefore(owner: string, entries: readonly Entry[], seq: number): readonly string[] {
  return entries
    .slice(0, seq)
    .flatMap(({ event }) =>
      (event.type === 'source.opened' || event.type === 'source.synced') && event.owner === owner
        ? claimed(event)
        : [],
    )
}
