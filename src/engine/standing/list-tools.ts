import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type GoneTool, sameOwner, type ToolSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess, unusableTools } from './assess.ts'
import { type LoadingCall, skillLoadedByCall } from './findable-tools.ts'
import { memoByFacts, type ToolStatus } from './tool-status.ts'
import { ownerAddress, type RegisteredTools, toolTable } from './tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** One tool in a list: registered, dropped by an owner that stays, or brought by a skill that is not active. */
export interface ToolListing {
  /** Its address: a name, or `owner/name` when another tool has that name. */
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  readonly asks: boolean
  readonly tool: Tool | undefined
}

/**
 * Returns all tools of a session, each name once: the registered ones, each owner's with those that it
 * no longer has, then those of inactive skills.
 *
 * A gone tool, and a tool of an inactive skill, keeps the same listing object from state to state, as
 * long as no tool of its name is registered or found. So a view can memoise by it.
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
  const { brought, listed, places, stored, isPlain } = catalogListing(context.catalog)
  const called = foundByName(state, context)
  const names = new Map(registered.map(({ name, tool }) => [name, tool?.hash]))
  const relist = (place: number): ToolListing | null => {
    const one = brought[place]
    if (one === undefined) return null
    const loading = called.get(one.tool.name)
    const isOthers = loading !== undefined && loading.skill !== one.skill
    if (isOthers && loading.found.hash === one.tool.hash) return null
    return listInactive(one, names, isOthers, (address) => table.byAddress.has(address))
  }
  const others: (ToolListing | null)[] = listed.slice()
  const changed = isPlain ? touchedPlaces(state, table, called, places) : others.keys()
  for (const place of changed) others[place] = relist(place)
  // The tools of an attached server are those that it has registered.
  for (const { source, owner } of state.open) {
    if (source === 'server') for (const place of stored.get(owner) ?? []) others[place] = null
  }
  addGone(registered, state, context)
  addUnusable(registered, state, context)
  return [...registered, ...others.filter((one) => one !== null)]
}

const goneMemo = new WeakMap<GoneTool, ToolListing>()

const goneTools = memoByFacts<ReadonlySet<GoneTool>>()

/** Adds the tools that owners no longer have, after the others of each. */
function addGone(rows: ToolListing[], state: WorkspaceState, context: EngineContext): void {
  const facts = ({ open, closed }: WorkspaceState) => [open, closed]
  const known = goneTools(context, state, facts, () => {
    const left = state.open.flatMap(({ gone = [] }) => gone)
    return new Set(
      left.filter(({ name, seq }) => {
        const found = assess(state, context, name)
        return found.kind === 'gone' && found.seq === seq
      }),
    )
  })
  if (known.size === 0) return
  for (const { source, owner, gone = [] } of state.open) {
    const left = gone.flatMap((one) => {
      if (!known.has(one)) return []
      const { name } = one
      const row = { name, source, owner, status: 'gone', asks: false, tool: undefined } as const
      const listed = goneMemo.get(one) ?? row
      goneMemo.set(one, listed)
      return listed
    })
    if (left.length === 0) continue
    const last = rows.findLastIndex((row) => sameOwner(row, { source, owner }))
    rows.splice(last < 0 ? rows.length : last + 1, 0, ...left)
  }
}

/** Adds the tools that are left out, after the others of their owners. */
function addUnusable(rows: ToolListing[], state: WorkspaceState, context: EngineContext): void {
  const unusable = [...unusableTools(state)].flatMap(([address, one]) => {
    const { name: own, source, owner } = one
    if (address !== `${owner}/${own}`) return []
    const found = assess(state, context, own)
    const isPlain = found.kind === 'left-out' && found.owner === owner
    const name = isPlain ? own : address
    if (!isPlain && assess(state, context, name).kind !== 'left-out') return []
    return { name, source, owner, status: 'left-out', asks: false, tool: undefined } as const
  })
  const byOwner = Map.groupBy(unusable, (row) => ownerAddress(row, ''))
  for (const left of byOwner.values()) {
    const last = rows.findLastIndex((row) => left.slice(0, 1).some((one) => sameOwner(row, one)))
    rows.splice(last < 0 ? rows.length : last + 1, 0, ...left)
  }
}

/** A tool that an inactive skill would bring. */
interface BroughtTool {
  readonly skill: string
  readonly tool: Tool
  readonly server: string | undefined
  /** `skill/name`, and its address when that is taken. */
  readonly address: string
  readonly full: string
}

/** The listing of such a tool. */
interface BroughtListing {
  readonly name: string
  readonly source: 'skill'
  readonly owner: string
  readonly status: 'skill-inactive'
  readonly asks: false
  readonly tool: Tool
}

/** The tools that a catalog's skills would bring, listed as if none of the skills were active. */
interface CatalogListing {
  /** In the catalog's order. */
  readonly brought: readonly BroughtTool[]
  /** One for each; null for a tool that is already listed. The same objects for all sessions. */
  readonly listed: readonly (BroughtListing | null)[]
  /** Places in `brought`, by the name in the tool's definition. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /** Places in `brought`, by the server of the tool. */
  readonly stored: ReadonlyMap<string, readonly number[]>
  /**
   * The listing of a tool depends only on other tools of its name. Names with ambiguous characters
   * could make an address look like that of another tool.
   */
  readonly isPlain: boolean
}

/** Characters that could make the address of one tool look like that of another. */
const AMBIGUOUS = /[\/@:]/v

const listingMemo = new WeakMap<Catalog, CatalogListing>()

/** Returns the listing of a catalog. It is made once, since a catalog never changes. */
function catalogListing(catalog: Catalog): CatalogListing {
  const known = listingMemo.get(catalog)
  if (known !== undefined) return known
  const brought = [...catalog.skillTools].flatMap(([skill, tools]) =>
    tools.map(({ tool, server }): BroughtTool => {
      const address = `${skill}/${tool.name}`
      const full = ownerAddress({ source: 'skill', owner: skill }, tool.name)
      return { skill, tool, server, address, full }
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
    stored: serverPlaces(brought),
    isPlain: !brought.some(({ skill, tool }) => AMBIGUOUS.test(skill) || AMBIGUOUS.test(tool.name)),
  }
  listingMemo.set(catalog, listing)
  return listing
}

function serverPlaces(brought: readonly BroughtTool[]): ReadonlyMap<string, readonly number[]> {
  const places = [...brought.keys()].filter((place) => brought[place]?.server !== undefined)
  return Map.groupBy(places, (place) => brought[place]?.server ?? '')
}

/**
 * The found tools whose call activates a skill, by the name they are called by. Other tools are not
 * listed by that name.
 */
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
 * Lists a tool of an inactive skill by the shortest free name, and takes that name. Null when the
 * same definition is already listed by its name.
 *
 * @param names the hashes of the listed tools, by name
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

/** The places of tools that share a name with a registered or found tool, in order. */
function touchedPlaces(
  state: WorkspaceState,
  { rows }: RegisteredTools,
  called: ReadonlyMap<string, LoadingCall>,
  places: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const names = new Set(called.keys())
  // The name of a row may be an address, and a name may look like one.
  for (const { name } of rows) names.add(name).add(name.slice(name.lastIndexOf('/') + 1))
  for (const { claims } of state.open) {
    for (const { name, definedAs } of claims) names.add(name).add(definedAs)
  }
  return [...names].flatMap((name) => places.get(name) ?? []).sort((a, b) => a - b)
}

/**
 * Returns the address for explaining and calling a listed tool. Two inactive skills may bring the
 * same name, and `owner/name` selects the right one.
 */
export function listingAddress({
  name,
  source,
  owner,
}: Pick<ToolListing, 'name' | 'source' | 'owner'>): string {
  const isPlain = source !== 'skill' || name.startsWith(`${owner}/`) || name.startsWith('skill:')
  return isPlain ? name : `${owner}/${name}`
}
