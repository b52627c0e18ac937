import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A tool that a skill would bring. */
export interface BroughtTool {
  readonly skill: string
  readonly tool: Tool
  /** `skill/name`, and what it is called when that is taken. */
  readonly address: string
  readonly full: string
}

/** How it is listed. */
export interface BroughtListing {
  readonly name: string
  readonly source: 'skill'
  readonly owner: string
  readonly status: 'skill-inactive'
  readonly asks: false
  readonly tool: Tool
}

/** What the skills of a catalog would bring, as it is listed while none of them is active. */
export interface CatalogListing {
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
export function catalogListing(catalog: Catalog): CatalogListing {
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
export function listInactive(
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
