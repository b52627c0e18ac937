import type { Attributes } from '@opentelemetry/api'
import type { Entry, VirtualWorkspace } from '../../../entries/index.ts'
import { ownerAttributes } from './call-span.ts'

/** An event of a trace. It never has text that a model, a tool or an error wrote. */
export interface TraceEvent {
  readonly name: string
  readonly attributes: Attributes
}

/** The part of a workspace that has the names of skills and tools, and the costs. */
type KnownNames = Pick<VirtualWorkspace, 'catalog' | 'getToolSource' | 'figures'>

/** Returns the event of a trace for an entry of the log; null for an entry that gives none. */
export function traceEvent(entry: Entry, workspace: KnownNames): TraceEvent | null {
  const { seq, cause, event } = entry
  const eventOf = (name: string, attributes: Attributes): TraceEvent => ({
    name: `loadout.${name}`,
    attributes: { ...attributes, 'loadout.cause': cause.by, 'loadout.entry.seq': seq },
  })
  if (event.type === 'source.opened' && event.source === 'skill') {
    return eventOf('skill.activated', { 'loadout.skill': event.owner })
  }
  if (event.type === 'source.closed' && event.source === 'skill' && event.names === null) {
    return eventOf('skill.deactivated', { 'loadout.skill': event.owner })
  }
  if (event.type === 'activation.failed') {
    return eventOf('activation.failed', {
      'loadout.skill': event.skill,
      'loadout.hook': event.hook,
    })
  }
  // A refused call has a span, which has the reason.
  if (event.type === 'command.refused' && event.command !== 'call.start') {
    const { command, code, subject } = event
    const about = subjectOf(subject, workspace)
    return eventOf('command.refused', {
      'loadout.command': command,
      'loadout.reason': code,
      ...about,
    })
  }
  if (event.type === 'warning.given' && isQuarantine(event)) {
    return eventOf('quarantined', subjectOf(event.subject, workspace))
  }
  if (event.type === 'source.synced' && event.quarantined.length > 0) {
    return eventOf('quarantined', { 'loadout.tools': [...event.quarantined] })
  }
  if (event.type === 'step.begun') {
    const { step, strategy, cost } = event
    return eventOf('step.begun', {
      'loadout.step': step,
      'loadout.exposure.strategy': strategy,
      ...(cost && { 'loadout.cost.kept': cost.kept, 'loadout.cost.lost': cost.lost }),
    })
  }
  if (event.type === 'step.reported')
    return eventOf('step.reported', usageAttributes(event, workspace))
  return null
}

/** The attributes of a provider's report, by the conventions for generative AI, and the difference from the cost. */
function usageAttributes(
  { step, usage, model }: EntryEvent<'step.reported'>,
  { figures }: KnownNames,
): Attributes {
  const { input, cached, written, output, reasoning } = usage
  const { last } = figures.ledger().reported
  const deviation = last?.step === step ? last.deviation : null
  return {
    'loadout.step': step,
    ...(model !== undefined && { 'gen_ai.response.model': model }),
    'gen_ai.usage.input_tokens': input,
    ...(cached !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cached }),
    ...(written !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': written }),
    'gen_ai.usage.output_tokens': output,
    ...(reasoning !== undefined && { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
    ...(deviation && {
      'loadout.usage.deviation': deviation.kind,
      'loadout.usage.expected': deviation.expected,
    }),
  }
}

type EntryEvent<Type> = Extract<Entry['event'], { readonly type: Type }>

/** Names a skill or a tool that the workspace knows. Other names may be anything, so they are left out. */
function subjectOf(name: string, workspace: KnownNames): Attributes {
  if (workspace.catalog.skills.has(name)) return { 'loadout.skill': name }
  return workspace.getToolSource(name) === null ? {} : { 'loadout.tool': name }
}

const QUARANTINE: ReadonlySet<string> = new Set(['tool-changed', 'skill-changed', 'skill-gone'])

/** Returns true for a notice or a warning that a definition is not the one that was agreed to. */
export function isQuarantine({ code }: { readonly code: string }): boolean {
  return QUARANTINE.has(code)
}

/** Returns an event for each tool that is in quarantine now. */
export function quarantined(workspace: Pick<VirtualWorkspace, 'tools'>): readonly TraceEvent[] {
  return workspace.tools().flatMap(({ name, owner, source, status }) => {
    if (status !== 'changed') return []
    const attributes = { 'loadout.tool': name, ...ownerAttributes({ source, owner }) }
    return [{ name: 'loadout.quarantined', attributes }]
  })
}
