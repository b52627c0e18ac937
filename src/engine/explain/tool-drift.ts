import { diffFields, type FieldChange, skillFields } from '../../catalog/diff-fields.ts'
import type { Reason } from './explanation.ts'
import type { Pin } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { violatedPin } from '../standing/remembered-approval.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** How a tool in quarantine differs from what was agreed to. */
interface Drift {
  readonly pin: Pin
  /** Field by field; null when a definition is nowhere to be had. */
  readonly changes: readonly FieldChange[] | null
}

/** The drift of a registered tool; null for one that is not in quarantine. */
export function toolDrift(
  row: ToolRow,
  state: WorkspaceState,
  { tool: definition }: Pick<EngineContext, 'tool'>,
): Drift | null {
  const pin = violatedPin(row, state)
  if (pin === undefined) return null
  const known = pin.hashes.flatMap((hash) => definition(hash) ?? [])
  // Of several versions that were agreed to, the one that it is the successor of.
  const before = known.find(({ version }) => version === row.claim.version) ?? known.at(-1)
  const after = definition(row.claim.hash)
  if (before === undefined || after === undefined) return { pin, changes: null }
  return { pin, changes: diffFields(fieldsOf(before), fieldsOf(after)) }
}

/** Why it is in quarantine, with the difference. */
export function driftReason({ claim }: Pick<ToolRow, 'claim'>, { pin, changes }: Drift): Reason {
  const since = pin.untrusted
    ? `what the session holds it to since entry ${pin.seq}`
    : `what was approved in entry ${pin.seq}`
  const what = changes === null ? `its hash is ${claim.hash}` : describeChanges(changes)
  return { seq: claim.since, text: `Its definition is not ${since}: ${what}.` }
}

/** What would let it be called again. */
export function driftFix({ claim }: Pick<ToolRow, 'claim'>): string {
  return `Look at the difference and accept it with acceptTool("${claim.name}"), or bring the earlier definition back.`
}

function fieldsOf(tool: Tool): Readonly<Record<string, unknown>> {
  return { ...toolDefinition(tool) }
}

/**
 * How a skill of the catalog differs from the one that the session activated; null where it does not,
 * is gone, or the log has not kept it.
 */
export function skillDrift(
  state: WorkspaceState,
  context: EngineContext,
  name: string,
): readonly FieldChange[] | null {
  const { open } = assessSkill(state, context, name)
  const now = context.catalog.skills.get(name)
  const activated = open?.definition ? context.skill(open.definition) : undefined
  if (now === undefined || activated === undefined) return null
  return diffFields(skillFields(activated), skillFields(now))
}

/** Characters of a value that a sentence carries; the whole is in the changes themselves. */
const LONGEST = 120

/** Fields that a sentence tells of. */
const MOST_FIELDS = 8

/** What changed in a definition, in one sentence. Not yet sanitised. */
export function describeChanges(changes: readonly FieldChange[]): string {
  const told = changes.slice(0, MOST_FIELDS).map(describeChange)
  const rest = changes.length - told.length
  return [...told, ...(rest === 0 ? [] : [`${rest} more fields`])].join('; ')
}

function describeChange(change: FieldChange): string {
  const { field } = change
  switch (change.what) {
    case 'value':
      return `${field} was ${shown(change.before)} and is ${shown(change.after)}`
    case 'text':
      return `the text of ${field} changed: ${shown(change.diff)}`
    case 'parts':
      return change.parts
        .slice(0, MOST_FIELDS)
        .map(
          ({ path, before, after }) =>
            `${field}${path} was ${shown(before)} and is ${shown(after)}`,
        )
        .join('; ')
    case 'members':
      return `${field} has others: ${membersChanged(change)}`
  }
}

function membersChanged(change: Extract<FieldChange, { readonly what: 'members' }>): string {
  return (['added', 'changed', 'removed'] as const)
    .filter((what) => change[what].length > 0)
    .map((what) => `${what} ${shown(change[what].join(', '))}`)
    .join(', ')
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}
