import type { ToolListing, Verdict, WorkspaceReader } from '../../../entries/index.ts'
import { listingAddress } from '../../../entries/kit.ts'

/** Describes the key that changes the status of a tool or a skill, on its row; empty when no key does. */
export function commandForName(
  { kind, name }: Pick<Verdict, 'kind' | 'name'>,
  reader: WorkspaceReader,
): string {
  if (kind === 'skill') return SKILL_COMMANDS[reader.explainSkill(name).status] ?? ''
  const listing = reader.tools().find((one) => one.name === name || listingAddress(one) === name)
  if (listing === undefined) return ''
  return commandFor(listing, reader.explain(name).changes !== undefined)
}

const SKILL_COMMANDS: Readonly<Partial<Record<Verdict['status'], string>>> = {
  inactive: 'Space activates it.',
  conflicting: 'R activates it, and deactivates those that conflict with it.',
  active: 'Space deactivates it.',
  changed: 'a accepts its change.',
}

/**
 * Describes the key that changes the status of a tool; empty when no key does.
 *
 * @param drifted true when the definition of a changed tool differs from the accepted one
 */
export function commandFor(
  { source, owner, status }: Pick<ToolListing, 'source' | 'owner' | 'status'>,
  drifted: boolean,
): string {
  switch (status) {
    case 'skill-inactive':
      return source === 'skill' ? `Space activates "${owner}".` : ''
    case 'disabled':
      return 'x switches it on.'
    case 'available':
      return 'c calls it; x switches it off.'
    case 'changed':
      return drifted || source !== 'skill'
        ? 'a accepts its current definition.'
        : `a on "${owner}" in the Skills pane accepts the change.`
    case 'shadowed':
    case 'not-exposed':
    case 'denied':
    case 'blocked-by-mode':
    case 'budget-spent':
    case 'unbound':
    case 'gone':
    case 'left-out':
    case 'unknown':
      return ''
  }
}
