import type { FieldChange } from '../../catalog/definition-change.ts'
import { diffFields } from '../../catalog/diff-fields.ts'
import { toolDefinition } from '../../tools/definition/tool-definition.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { brokenPin } from '../standing/broken-pin.ts'
import type { Pin } from '../model/consent-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { ToolRow } from '../standing/tool-row.ts'
import { describeChanges } from './describe-changes.ts'
import type { Reason } from './reason.ts'

/** How a tool in quarantine differs from what was agreed to. */
export interface Drift {
  readonly pin: Pin
  /** Field by field; null when a definition is nowhere to be had. */
  readonly changes: readonly FieldChange[] | null
}

/** The drift of a registered tool; null for one that is not in quarantine. */
export function driftOf(
  row: ToolRow,
  state: WorkspaceState,
  { tool: definition }: Pick<Surroundings, 'tool'>,
): Drift | null {
  const pin = brokenPin(row, state)
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
