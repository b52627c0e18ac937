import { type Entry, type EventType, LOG_FORMAT } from '../../engine/model/workspace-event.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isObject } from '../../kernel/json-value.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'

/**
 * Returns the form in which a log stores an entry, as JSON; `readEntry` reads it back. Entries of format 1 were stored
 * without a format.
 */
export function storedEntry({
  seq,
  at,
  cause,
  event,
  seal,
}: Entry): Entry & { readonly format: typeof LOG_FORMAT } {
  return { seq, at, format: LOG_FORMAT, cause, event, ...(seal !== undefined && { seal }) }
}

/** Every event type of this version; a missing one is a compile error. */
const EVENT_TYPES: Readonly<Record<EventType, true>> = {
  'session.opened': true,
  'source.opened': true,
  'source.synced': true,
  'source.kept': true,
  'source.closed': true,
  'source.accepted': true,
  'tool.switched': true,
  'turn.begun': true,
  'turn.ended': true,
  'metrics.reset': true,
  'intent.taken': true,
  'intent.applied': true,
  'intent.failed': true,
  'step.begun': true,
  'step.answered': true,
  'step.repeated': true,
  'step.reported': true,
  'session.compacted': true,
  'session.forked': true,
  'session.imported': true,
  'component.updated': true,
  'call.started': true,
  'call.ended': true,
  'call.detached': true,
  'call.retried': true,
  'policy.changed': true,
  'catalog.taken': true,
  'skill.registered': true,
  'skill.unregistered': true,
  'confirmation.asked': true,
  'confirmation.approved': true,
  'confirmation.denied': true,
  'confirmation.expired': true,
  'approval.remembered': true,
  'approval.recalled': true,
  'approval.revoked': true,
  'tool.accepted': true,
  'call.abandoned': true,
  'command.refused': true,
  'warning.given': true,
  'activation.failed': true,
  'skill.broken': true,
  tool_discovery_start: true,
  tool_discovery_result: true,
  tools_enabled: true,
  tools_evicted: true,
  'rules.sent': true,
  'extraction.drifted': true,
  'memory.summarised': true,
  'child.opened': true,
  'child.ended': true,
  'child.called': true,
  'fact.noted': true,
}

/** The place of an entry, for the error about it. */
interface EntryPlace {
  readonly session?: string
  readonly file?: string
}

/**
 * Reads a parsed value as the entry with this number; undefined when it is not one. An entry of an
 * earlier format is upgraded; one without a format has format 1.
 *
 * Throws `LOG_FORMAT` for a later format, and `LOG_UNKNOWN_EVENT` for an event that this version does
 * not know: it cannot be folded, and without it the state would be wrong. The members of an event are
 * not checked: the checksums of logs protect them.
 */
export function readEntry(value: unknown, seq: number, place: EntryPlace = {}): Entry | undefined {
  if (!isObject(value) || value['seq'] !== seq) return undefined
  const { at, cause, event, seal, format = 1 } = value
  if (typeof at !== 'number' || !Number.isFinite(at)) return undefined
  if (!isObject(cause) || typeof cause['by'] !== 'string') return undefined
  if (!isObject(event) || typeof event['type'] !== 'string') return undefined
  if (typeof format !== 'number' || !Number.isSafeInteger(format) || format < 1) return undefined
  const found = event['type'] === 'session.opened' ? Number(event['format']) : format
  if (Math.max(found, format) > LOG_FORMAT) throw formatTooNew(seq, Math.max(found, format), place)
  const stored = event as StoredEvent
  const read = format === LOG_FORMAT ? stored : upgradeEvent(stored, format)
  if (!Object.hasOwn(EVENT_TYPES, read.type)) {
    const message = `${named(seq, place)} is an unknown event, "${read.type}".`
    throw new WorkspaceError('LOG_UNKNOWN_EVENT', message, {
      facts: { ...place, seq, lastGoodSeq: seq - 1, type: read.type },
      hint: NEWER_VERSION_HINT,
    })
  }
  const sealed = typeof seal === 'string' && { seal }
  return { seq, at, cause, event: read, ...sealed } as unknown as Entry
}

/**
 * Reads the stored text of an entry, for a log without checksums of its own. Throws `LOG_DAMAGED` for a text that is not
 * the entry with this number, and as `readEntry` does.
 */
export function parseEntry(text: string | undefined, seq: number, session: string): Entry {
  const value = text === undefined ? undefined : tryOrUndefined((): unknown => JSON.parse(text))
  const entry = readEntry(value, seq, { session })
  if (entry !== undefined) return entry
  throw new WorkspaceError('LOG_DAMAGED', `${named(seq, { session })} is not an entry.`, {
    facts: { session, seq, lastGoodSeq: seq - 1 },
  })
}

const NEWER_VERSION_HINT = 'Read it with the version of Loadout that wrote it.'

/** The error for an entry in the format of a later version. */
function formatTooNew(seq: number, found: number, place: EntryPlace): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `${named(seq, place)} is of format ${found}; this version reads formats up to ${LOG_FORMAT}.`,
    {
      facts: { ...place, seq, lastGoodSeq: seq - 1, expected: LOG_FORMAT, found },
      hint: NEWER_VERSION_HINT,
    },
  )
}

function named(seq: number, { session, file }: EntryPlace): string {
  const of = session === undefined ? '' : ` of session "${session}"`
  return `Entry ${seq}${of}${file === undefined ? '' : ` in ${file}`}`
}

/** Upgrades an event of an earlier format to the form in which this version writes it. */
export function upgradeEvent(event: StoredEvent, format: number): StoredEvent {
  return UPGRADES.slice(format - 1).reduce((before, upgrade) => upgrade(before), event)
}

/** An event of any format: only its type is known. */
type StoredEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * The upgrades of events: the function at index n turns an event of format n + 1 into one of format
 * n + 2. A released upgrade never changes. Each is pure, and handles every event that its format allows.
 * Upgrades apply when entries are read; stored entries do not change.
 */
export const UPGRADES: readonly ((event: StoredEvent) => StoredEvent)[] = [addPolicyLimits]

/**
 * Format 1 to 2: a policy has the limits of its mode, rules that allow, and the effect of the
 * `allowed-tools` of skills.
 *
 * In format 1 modes had no limits, so an upgraded policy has only the limits that the host had set.
 * Nothing was pre-approved, and `allowed-tools` had no effect.
 */
function addPolicyLimits(event: StoredEvent): StoredEvent {
  if (event.type === 'session.opened') {
    return { ...event, format: 2, policy: upgradedPolicy(event['policy']) }
  }
  return event.type === 'policy.changed'
    ? { ...event, policy: upgradedPolicy(event['policy']) }
    : event
}

function upgradedPolicy(policy: unknown): unknown {
  if (typeof policy !== 'object' || policy === null) return policy
  const { callsPerTurn = {}, ...rest } = policy as { readonly callsPerTurn?: object }
  const isSet = Object.keys(callsPerTurn).length > 0
  const limits = { callsPerTurn, latencyMs: {}, promptTier: 'full' }
  return { ...rest, allow: [], allowedTools: 'ignore', limits, ...(isSet && { callsPerTurn }) }
}

const hashes = new WeakMap<Entry, ContentHash>()

/**
 * Returns a hash that differs for two entries of the same number, and is the same in every log. It is
 * remembered for the object: the log and the journal both need that of an entry.
 */
export function entryHash(entry: Entry): ContentHash {
  const known = hashes.get(entry)
  if (known !== undefined) return known
  const { seq, at, cause, event } = entry
  const hash = textHash(JSON.stringify([seq, at, cause, event]))
  hashes.set(entry, hash)
  return hash
}
