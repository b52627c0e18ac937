import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import { counted, type RequestChange } from '../../../entries/plan.ts'

type BegunStep = Extract<WorkspaceEvent, { readonly type: 'step.begun' }>

/** The place where a request lost the cache, and what changed there. */
export interface DescribedLoss {
  readonly step: number
  readonly segment: RequestChange['segment']
  readonly part: string
  /** Of a tool: the skill, server or toolset that brings it. */
  readonly owner: string | null
  /** For people; null when the log does not say. */
  readonly why: string | null
}

/** Returns the price of a lost prefix; a provider caches none that is short. */
export function lostText(lost: number): string {
  const tokens = Math.round(lost)
  return tokens === 0
    ? 'nothing, since a request this short is not cached'
    : `${counted(tokens, 'token')} at the full input price`
}

/** Describes what changed in the requests of a session that lost a part of the cache, in their order. */
export function describeLosses(entries: readonly Entry[]): readonly DescribedLoss[] {
  const losses: DescribedLoss[] = []
  const owners = new Map<string, string>()
  let before: BegunStep | null = null
  let isCompacted = false
  for (const { event } of entries) {
    if (event.type === 'source.opened' || event.type === 'source.synced') {
      for (const name of claimed(event)) owners.set(name, event.owner)
    } else if (event.type === 'session.compacted') isCompacted = true
    if (event.type !== 'step.begun') continue
    const changed = event.cost?.changed
    if (changed && before) {
      const { segment, part } = changed
      const owner = (segment === 'tools' && owners.get(part)) || null
      const why =
        isCompacted && segment === 'conversation'
          ? COMPACTED
          : whyChanged(changed, before, event, owner)
      losses.push({ step: event.step, segment, part, owner, why })
    }
    before = event
    isCompacted = false
  }
  return losses
}

const COMPACTED = 'The conversation was compacted.'

function whyChanged(
  changed: RequestChange,
  before: BegunStep,
  now: BegunStep,
  owner: string | null,
): string | null {
  const { segment, part, text } = changed
  const isTool = [before, now].some(({ exposed }) => exposed.some(({ name }) => name === part))
  if (segment === 'tools' && isTool) return whyToolChanged(changed, before, now, owner)
  if (text === undefined) return segment === 'instructions' ? whySectionChanged(before, now) : null
  const [old, fresh] = [quoted(text.before), quoted(text.now)]
  if (text.within !== undefined)
    return `The memory file ${text.within} changed: ${old} became ${fresh}.`
  if (part === 'model') return `The model changed: ${old} became ${fresh}.`
  const shown = [...now.sections, ...before.sections].find(({ id }) => id === part)
  if (segment === 'instructions') {
    return `Line ${text.line} of "${shown?.title ?? part}" changed: ${old} became ${fresh}.`
  }
  if (part !== 'messages') return `The setting "${part}" changed: ${old} became ${fresh}.`
  const number = (changed.message ?? 0) + 1
  return text.now === null
    ? `Message ${number} and those after it were removed: ${old}.`
    : `Line ${text.line} of message ${number} changed: ${old} became ${fresh}.`
}

function whyToolChanged(
  { part, text }: RequestChange,
  before: BegunStep,
  now: BegunStep,
  owner: string | null,
): string {
  const [old, fresh] = [before, now].map(({ exposed }) => exposed.filter(isInPrompt))
  const [was, is] = [old, fresh].map((all) => all?.find(({ name }) => name === part))
  const of = owner === null || owner === 'agent' ? '' : ` of "${owner}"`
  const named = `The tool "${part}"${of}`
  if (was === undefined || is === undefined) {
    const [own, other] = was === undefined ? [fresh, old] : [old, fresh]
    const names = new Set(other?.map(({ name }) => name))
    const more = (own ?? []).filter(({ name }) => !names.has(name)).length - 1
    const others = more > 0 ? `, and ${more} more` : ''
    return `${named} was ${was === undefined ? 'added' : 'removed'}${others}.`
  }
  if (was.hash === is.hash) return `${named} has another place: the order of the tools changed.`
  if (text === undefined) return `The definition of the tool "${part}"${of} changed.`
  const member = text.within ?? 'definition'
  return `The ${member} of the tool "${part}"${of} changed: ${quoted(text.before)} became ${quoted(text.now)}.`
}

function quoted(line: string | null): string {
  return line === null ? 'none' : `"${line.trim()}"`
}

function isInPrompt({ deferred, added, removed }: BegunStep['exposed'][number]): boolean {
  return deferred !== true && added !== true && removed !== true
}

/** Compares the instructions of sessions of Loadout, which are one part: their logs have the hashes of the sections. */
function whySectionChanged(
  { sections: before }: BegunStep,
  { sections: now }: BegunStep,
): string | null {
  const earlier = new Map(before.map(({ id, hash }) => [id, hash]))
  const names = new Set(now.map(({ id }) => id))
  const gone = before.find(({ id }) => !names.has(id))
  if (gone) return `The section "${gone.title ?? gone.id}" was removed.`
  const changed = now.find(({ id, hash }) => earlier.get(id) !== hash)
  if (changed === undefined) return null
  const how = earlier.has(changed.id) ? 'changed' : 'was added'
  return `The section "${changed.title ?? changed.id}" ${how}.`
}

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
