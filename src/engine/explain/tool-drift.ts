import { diffFields, type FieldChange, skillFields } from '../../catalog/diff-fields.ts'
import type { Reason } from './verdict.ts'
import type { Pin } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { SkillAssessment } from '../standing/assess-skill.ts'
import { violatedPin } from '../standing/remembered-approval.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The difference between a tool in quarantine and the definition that was agreed to. */
interface Drift {
  readonly pin: Pin
  /** Field by field; null when one of the two definitions is not available. */
  readonly changes: readonly FieldChange[] | null
}

/** Returns the drift of a registered tool; null when it is not in quarantine. */
export function toolDrift(
  row: ToolRow,
  state: WorkspaceState,
  { tool: definition }: Pick<EngineContext, 'tool'>,
): Drift | null {
  const pin = violatedPin(row, state)
  if (pin === undefined) return null
  const known = pin.hashes.flatMap((hash) => definition(hash) ?? [])
  // Of several accepted versions, the same version is compared, else the latest.
  const before = known.find(({ version }) => version === row.claim.version) ?? known.at(-1)
  const after = definition(row.claim.hash)
  if (before === undefined || after === undefined) return { pin, changes: null }
  return { pin, changes: diffFields(fieldsOf(before), fieldsOf(after)) }
}

/** Returns the reason a tool is in quarantine, with the difference. */
export function driftReason({ claim }: Pick<ToolRow, 'claim'>, { pin, changes }: Drift): Reason {
  const accepted = pin.untrusted
    ? `the one the session has accepted since entry ${pin.seq}`
    : `the one that was approved in entry ${pin.seq}`
  const what = changes === null ? `its hash is ${claim.hash}` : describeChanges(changes)
  return { seq: claim.since, text: `Its definition is not ${accepted}: ${what}.` }
}

/** Returns the ways to make a tool in quarantine callable again. */
export function driftFix({ claim }: Pick<ToolRow, 'claim'>): string {
  return `Review the difference and accept it with acceptTool("${claim.name}"), or restore the earlier definition.`
}

function fieldsOf(tool: Tool): Readonly<Record<string, unknown>> {
  return { ...toolDefinition(tool) }
}

/**
 * Returns the difference between a skill in the catalog and the one that the session activated.
 * Null when there is none, when the skill has left the catalog, or when the log does not contain
 * the earlier one.
 */
export function skillDrift(
  { name, open }: SkillAssessment,
  context: EngineContext,
): readonly FieldChange[] | null {
  const now = context.catalog.skills.get(name)
  const activated = open?.definition ? context.skill(open.definition) : undefined
  if (now === undefined || activated === undefined) return null
  return diffFields(skillFields(activated), skillFields(now))
}

/** Characters of a value that a sentence contains; the changes themselves have all of it. */
const LONGEST = 120

/** Fields that a sentence names. */
const MOST_FIELDS = 8

/** Describes the changes of a definition in one sentence. The text is not sanitised. */
export function describeChanges(changes: readonly FieldChange[]): string {
  const described = changes.slice(0, MOST_FIELDS).map(describeChange)
  const rest = changes.length - described.length
  return [...described, ...(rest === 0 ? [] : [`${rest} more fields`])].join('; ')
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
      return `${field} changed: ${membersChanged(change)}`
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
