import type { Catalog } from '../../catalog/create/catalog.ts'
import { readAllowedTool, type AllowedTool } from './allowed-tool.ts'
import { hasChanged } from './has-changed.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'

/** What an active skill names in its `allowed-tools`. */
export interface AllowedList {
  readonly skill: string
  readonly tools: readonly AllowedTool[]
  /** The skill is as the session activated it: only then does its list let anything through. */
  readonly isWhole: boolean
}

const NONE: readonly AllowedList[] = []
const memo = new WeakMap<
  WorkspaceState['open'],
  { readonly catalog: Catalog; readonly lists: readonly AllowedList[] }
>()

/** The lists of the active skills that have one, in the order they came; none where they are ignored. */
function allowedLists(
  { open, policy }: Pick<WorkspaceState, 'open' | 'policy'>,
  catalog: Catalog,
): readonly AllowedList[] {
  if (policy.allowedTools === 'ignore') return NONE
  const known = memo.get(open)
  if (known?.catalog === catalog) return known.lists
  const lists = open.flatMap((source) => listOf(source, catalog) ?? [])
  memo.set(open, { catalog, lists })
  return lists
}

/**
 * The lists that count for a tool: those of the active skills, and the one of its own skill, since a
 * tool of a skill that is not active is judged as if the skill were.
 */
export function allowedListsFor(
  { source, owner }: Pick<OpenSource, 'source' | 'owner'>,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  catalog: Catalog,
): readonly AllowedList[] {
  const lists = allowedLists(state, catalog)
  if (state.policy.allowedTools === 'ignore' || source !== 'skill') return lists
  if (lists.some(({ skill }) => skill === owner)) return lists
  const own = allowedListOf(owner, catalog)
  return own === null ? lists : [...lists, own]
}

/** The list a skill has, were it active as the catalog has it now; null without one. */
export function allowedListOf(skill: string, { skills }: Catalog): AllowedList | null {
  const permissions = skills.get(skill)?.permissions ?? []
  if (permissions.length === 0) return null
  return { skill, tools: permissions.map(readAllowedTool), isWhole: true }
}

function listOf(source: OpenSource, catalog: Catalog): AllowedList | null {
  const list = source.source === 'skill' ? allowedListOf(source.owner, catalog) : null
  return list === null || !hasChanged(source, catalog) ? list : { ...list, isWhole: false }
}
