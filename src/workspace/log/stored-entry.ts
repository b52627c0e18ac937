import { type Entry, type EventType, LOG_FORMAT } from '../../engine/model/workspace-event.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isObject } from '../../kernel/json-value.ts'

/** An entry as logs keep it: it says of which format it is. Those of format 1 do not say so. */
export type StoredEntry = Entry & { readonly format: typeof LOG_FORMAT }

/** What a log writes of an entry; `readEntry` reads it back. */
export function storedEntry({ seq, at, cause, event }: Entry): StoredEntry {
  return { seq, at, format: LOG_FORMAT, cause, event }
}

/** Every event of this version; the type makes a forgotten one a compile error. */
const EVENT_TYPES: Readonly<Record<EventType, true>> = {
  'session.opened': true,
  'source.opened': true,
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
  'session.compacted': true,
  'session.forked': true,
  'component.updated': true,
  'call.started': true,
  'call.ended': true,
  'call.detached': true,
  'policy.changed': true,
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
}

/** Where an entry stands, for the error about it. */
export interface EntryPlace {
  readonly session?: string
  readonly file?: string
}

/**
 * Take a parsed value for the entry with this number, or undefined when it is none. An entry of an
 * earlier format is upgraded; one that does not say its format has format 1.
 *
 * Throws `LOG_FORMAT` for a later format, and `LOG_UNKNOWN_EVENT` for an event this version does not
 * know: it cannot be folded, and leaving it out would give a state that never was. The members of an
 * event are not looked at: that they are what was written is what a checksum is for.
 */
export function readEntry(value: unknown, seq: number, place: EntryPlace = {}): Entry | undefined {
  if (!isObject(value) || value['seq'] !== seq) return undefined
  const { at, cause, event, format = 1 } = value
  if (typeof at !== 'number' || !Number.isFinite(at)) return undefined
  if (!isObject(cause) || typeof cause['by'] !== 'string' || !isEvent(event)) return undefined
  if (typeof format !== 'number' || !Number.isSafeInteger(format) || format < 1) return undefined
  const found = event.type === 'session.opened' ? Number(event['format']) : format
  if (Math.max(found, format) > LOG_FORMAT) throw laterFormat(seq, Math.max(found, format), place)
  const read = format === LOG_FORMAT ? event : upgradeEvent(event, format)
  if (!Object.hasOwn(EVENT_TYPES, read.type)) throw unknownEvent(seq, read.type, place)
  return { seq, at, cause, event: read } as unknown as Entry
}

function laterFormat(seq: number, found: number, place: EntryPlace): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `${named(seq, place)} is of format ${found}; this version reads formats up to ${LOG_FORMAT}.`,
    {
      facts: { ...place, seq, lastGoodSeq: seq - 1, expected: LOG_FORMAT, found },
      hint: NEWER_VERSION_HINT,
    },
  )
}

function unknownEvent(seq: number, type: string, place: EntryPlace): WorkspaceError {
  return new WorkspaceError(
    'LOG_UNKNOWN_EVENT',
    `${named(seq, place)} is an unknown event, "${type}".`,
    { facts: { ...place, seq, lastGoodSeq: seq - 1, type }, hint: NEWER_VERSION_HINT },
  )
}

const NEWER_VERSION_HINT = 'A newer version of Loadout wrote this log: use that one to read it.'

function named(seq: number, { session, file }: EntryPlace): string {
  const of = session === undefined ? '' : ` of session "${session}"`
  return `Entry ${seq}${of}${file === undefined ? '' : ` in ${file}`}`
}

function isEvent(value: unknown): value is StoredEvent {
  return isObject(value) && typeof value['type'] === 'string'
}

/** An event of an earlier format as this version would have written it. */
export function upgradeEvent(event: StoredEvent, format: number): StoredEvent {
  return UPGRADES.slice(format - 1).reduce((before, upgrade) => upgrade(before), event)
}

/** An event as a log has it, of whatever format: only that it has a type is known of it. */
type StoredEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * How events came to be what they are: the function at index n takes an event of format n + 1 to
 * n + 2. One that was released is never changed. They are pure, and total over what their format's
 * versions could write; what is stored stays as it was written.
 */
export const UPGRADES: readonly ((event: StoredEvent) => StoredEvent)[] = [addPolicyLimits]

/**
 * Format 1 to 2: a policy has the limits of its mode, rules that allow, and says what the
 * `allowed-tools` of a skill come to.
 *
 * Modes had no limits of their own, so an upgraded policy has none but those the host had set; nothing
 * was pre-approved, and `allowed-tools` had no effect.
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

/** Tells an entry from another one of the same number, whichever log it comes from. */
export function entryHash({ seq, at, cause, event }: Entry): ContentHash {
  return textHash(JSON.stringify([seq, at, cause, event]))
}
