import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { ToolSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { type LoadingCall, skillLoadedByCall } from './findable-tools.ts'
import type { ToolStatus } from './tool-status.ts'
import { type RegisteredTools, toolTable } from './tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'

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
export function listTools(state: WorkspaceState, context: EngineContext): readonly ToolListing[] {
  const table = toolTable(state, context)
  const registered: ToolListing[] = table.rows.map(({ name, owner, status, asks, tool }) => ({
    name,
    source: owner.source,
    owner: owner.owner,
    status,
    asks,
    tool,
  }))
  const { brought, listed, places, isPlain } = catalogListing(context.catalog)
  const called = foundByName(state, context)
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
  { rows }: RegisteredTools,
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
  context: EngineContext,
): ReadonlyMap<string, LoadingCall> {
  return new Map(
    state.found.flatMap(({ name }) => {
      const loading = skillLoadedByCall(state, context, name)
      return loading === null ? [] : [[name, loading] as const]
    }),
  )
}

/**
 * What a listed tool is explained and called by. Two inactive skills may bring one name, and
 * `owner/name` asks about the right one.
 */
export function listingAddress({
  name,
  source,
  owner,
}: Pick<ToolListing, 'name' | 'source' | 'owner'>): string {
  const isPlain = source !== 'skill' || name.startsWith(`${owner}/`) || name.startsWith('skill:')
  return isPlain ? name : `${owner}/${name}`
}

/** A tool that a skill would bring. */
interface BroughtTool {
  readonly skill: string
  readonly tool: Tool
  /** `skill/name`, and what it is called when that is taken. */
  readonly address: string
  readonly full: string
}

/** How it is listed. */
interface BroughtListing {
  readonly name: string
  readonly source: 'skill'
  readonly owner: string
  readonly status: 'skill-inactive'
  readonly asks: false
  readonly tool: Tool
}

/** What the skills of a catalog would bring, as it is listed while none of them is active. */
interface CatalogListing {
  /** In the catalog's order. */
  readonly brought: readonly BroughtTool[]
  /** One each; null for a tool that is listed already. The same objects for every session. */
  readonly listed: readonly (BroughtListing | null)[]
  /** Places in `brought`, by the name a tool is defined with. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /**
   * Whether a tool's listing depends on nothing but other tools of its name: addresses of names
   * with these characters could be those of others.
   */
  readonly isPlain: boolean
}

/** What could make the address of one tool that of another. */
const AMBIGUOUS = /[\/@:]/v

const memo = new WeakMap<Catalog, CatalogListing>()

/** The listing of a catalog's skills: made once, since a catalog never changes. */
function catalogListing(catalog: Catalog): CatalogListing {
  const known = memo.get(catalog)
  if (known !== undefined) return known
  const brought = [...catalog.skillTools].flatMap(([skill, tools]) =>
    tools.map(({ tool }): BroughtTool => {
      const address = `${skill}/${tool.name}`
      return { skill, tool, address, full: `skill:${address}` }
    }),
  )
  const names = new Map<string, string | undefined>()
  const places = new Map<string, number[]>()
  for (const [place, { tool }] of brought.entries()) {
    const others = places.get(tool.name)
    if (others === undefined) places.set(tool.name, [place])
    else others.push(place)
  }
  const listing: CatalogListing = {
    brought,
    listed: brought.map((one) => listInactive(one, names, false)),
    places,
    isPlain: !brought.some(({ skill, tool }) => AMBIGUOUS.test(skill) || AMBIGUOUS.test(tool.name)),
  }
  memo.set(catalog, listing)
  return listing
}

/**
 * List the tool of a skill that is not active by the shortest name that is free, and take that
 * name; null when this very tool is listed by its name.
 *
 * @param names the hashes of what is listed, by name
 * @param isOthers its name belongs to the tool of another skill
 */
function listInactive(
  { skill, tool, address, full }: BroughtTool,
  names: Map<string, string | undefined>,
  isOthers: boolean,
  isAddress: (address: string) => boolean = () => false,
): BroughtListing | null {
  if (names.get(tool.name) === tool.hash || isAddress(full)) return null
  const isTaken = names.has(address) || isAddress(address)
  const name = isOthers || names.has(tool.name) ? (isTaken ? full : address) : tool.name
  names.set(name, tool.hash)
  return { name, source: 'skill', owner: skill, status: 'skill-inactive', asks: false, tool }
}
