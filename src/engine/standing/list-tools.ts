import type { Tool } from '../../tools/definition/tool.ts'
import { catalogListing, listInactive } from './catalog-listing.ts'
import { skillLoadedByCall, type LoadingCall } from './skill-loaded-by-call.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ToolStatus } from './status.ts'
import type { ToolSource } from '../model/tool-source.ts'
import { type ToolTable, toolTable } from './tool-table.ts'

/** One tool of a listing: registered, or brought by a skill that is not active. */
export interface ToolListing {
  /** How it is addressed: a name, or `owner/name` when the name is another's. */
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  readonly asks: boolean
  readonly tool: Tool | undefined
}

/**
 * Every tool a session knows of, each name once: the registered ones, then those of other skills.
 *
 * The listing of a skill that is not active is the same object from state to state, as long as no
 * tool of its name is registered or found: a view can keep what it made of it.
 */
export function listTools(
  state: WorkspaceState,
  surroundings: Surroundings,
): readonly ToolListing[] {
  const table = toolTable(state, surroundings)
  const registered: ToolListing[] = table.rows.map(({ name, owner, status, asks, tool }) => ({
    name,
    source: owner.source,
    owner: owner.owner,
    status,
    asks,
    tool,
  }))
  const { brought, listed, places, isPlain } = catalogListing(surroundings.catalog)
  const called = foundByName(state, surroundings)
  const names = new Map(registered.map(({ name, tool }) => [name, tool?.hash]))
  const listAnew = (place: number): ToolListing | null => {
    const one = brought[place]
    if (one === undefined) return null
    const loading = called.get(one.tool.name)
    const isOthers = loading !== undefined && loading.skill !== one.skill
    if (isOthers && loading.found.hash === one.tool.hash) return null
    return listInactive(one, names, isOthers, (address) => table.byAddress.has(address))
  }
  const others: (ToolListing | null)[] = listed.slice()
  const changed = isPlain ? touchedPlaces(state, table, called, places) : others.keys()
  for (const place of changed) others[place] = listAnew(place)
  return [...registered, ...others.filter((one) => one !== null)]
}

/** The places of tools that share their name with one that is registered or found, in order. */
function touchedPlaces(
  state: WorkspaceState,
  { rows }: ToolTable,
  called: ReadonlyMap<string, LoadingCall>,
  places: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const names = new Set(called.keys())
  // A row may go by an address, and a name may look like one.
  for (const { name } of rows) names.add(name).add(name.slice(name.lastIndexOf('/') + 1))
  for (const { claims } of state.open) {
    for (const { name, definedAs } of claims) names.add(name).add(definedAs)
  }
  return [...names].flatMap((name) => places.get(name) ?? []).sort((a, b) => a - b)
}

/** The found tools that a call loads, by the name they are called by: nobody else is listed by it. */
function foundByName(
  state: WorkspaceState,
  surroundings: Surroundings,
): ReadonlyMap<string, LoadingCall> {
  return new Map(
    state.found.flatMap(({ name }) => {
      const loading = skillLoadedByCall(state, surroundings, name)
      return loading === null ? [] : [[name, loading] as const]
    }),
  )
}
