import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { Entry, EventType } from '../engine/event.ts'

/** Every event of this version; the type makes a forgotten one a compile error. */
const EVENT_TYPES: Readonly<Record<EventType, true>> = {
  'session.opened': true,
  'source.opened': true,
  'source.kept': true,
  'source.closed': true,
  'source.accepted': true,
  'tool.switched': true,
  'turn.begun': true,
  'step.begun': true,
  'session.compacted': true,
  'component.updated': true,
  'call.started': true,
  'call.ended': true,
  'policy.changed': true,
  'confirmation.asked': true,
  'confirmation.approved': true,
  'confirmation.denied': true,
  'confirmation.expired': true,
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

/**
 * Take a parsed value for the entry with this number, or undefined when it is none.
 *
 * Throws `LOG_UNKNOWN_EVENT` for an event this version does not know: it cannot be folded,
 * and leaving it out would give a state that never was. The members of an event are not
 * looked at: that they are what was written is what a checksum is for.
 */
export function readEntry(value: unknown, seq: number): Entry | undefined {
  if (!isObject(value) || value['seq'] !== seq || !Number.isFinite(value['at'])) return undefined
  const { cause, event } = value
  if (!isObject(cause) || typeof cause['by'] !== 'string' || !isObject(event)) return undefined
  const { type } = event
  if (typeof type !== 'string') return undefined
  if (!Object.hasOwn(EVENT_TYPES, type)) {
    throw new WorkspaceError('LOG_UNKNOWN_EVENT', `Entry ${seq} is an unknown event, "${type}".`, {
      facts: { seq, type },
      hint: 'A newer version of Loadout wrote this log: use that one to read it.',
    })
  }
  return value as unknown as Entry
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
