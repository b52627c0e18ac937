import { type Catalog, componentHash, freezeMap, type SkillTool } from './create/catalog.ts'
import { LazyMap } from './manifest/lazy-map.ts'
import type { ToolComponent } from '../components/define-component.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import type { Agent } from '../skills/definition/define-agent.ts'
import { displayNameOf } from '../skills/definition/definition-name.ts'
import type { Skill } from '../skills/definition/skill.ts'
import { storedTool } from '../tools/definition/make-tool.ts'
import type { Tool } from '../tools/definition/tool.ts'

/**
 * The names, descriptions and digests of a catalog: enough to list and explain what a session never
 * activated. Logs store it once for all sessions with the catalog. Texts and schemas are not in it.
 */
export interface CatalogListing {
  /** The hash of the catalog. */
  readonly hash: ContentHash
  readonly skills: readonly ListedSkill[]
  readonly shadowed: readonly ListedSkill[]
  /** Every tool of a skill and every shared tool. Other members refer to it by its place. */
  readonly tools: readonly ListedTool[]
  readonly shared: readonly number[]
  readonly global: readonly number[]
  /** The keys of components with their digests. */
  readonly components: readonly (readonly [key: string, digest: string])[]
}

/** Members of a skill that a listing leaves out when they have these values. */
const SKILL_DEFAULTS = {
  version: '1.0.0',
  capabilities: [],
  triggers: [],
  whenToUse: '',
  tags: [],
  requires: [],
  conflicts: [],
  extends: [],
  exclusive: false,
  lifetime: 'session',
  aliases: [],
  permissions: [],
  onConflict: 'refuse',
} as const satisfies Partial<Skill>

/** Members of a tool that a listing leaves out when they have these values. */
const TOOL_DEFAULTS = {
  version: '1.0.0',
  category: 'action',
  risk: 'moderate',
  requiresConfirmation: false,
} as const satisfies Partial<Tool>

/** Members of a tool that a listing has when the tool has them. */
const TOOL_OPTIONS = { topic: undefined, modes: undefined, background: undefined }

/**
 * A definition's hash without its prefix. Otherwise everything that a listing names would count as
 * used by the sessions that refer to the listing.
 */
type Digest = string

interface ListedSkill extends Partial<Pick<Skill, keyof typeof SKILL_DEFAULTS | 'displayName'>> {
  readonly name: string
  readonly description: string
  readonly digest: Digest
  /** The places of its tools, or what else the catalog knows about them. */
  readonly tools?: readonly (number | readonly [place: number, how: Omit<SkillTool, 'tool'>])[]
  /** The names of the tools of a shadowed skill. */
  readonly toolNames?: readonly string[]
}

interface ListedTool extends Partial<
  Pick<Tool, keyof typeof TOOL_DEFAULTS | keyof typeof TOOL_OPTIONS>
> {
  readonly name: string
  readonly description: string
  readonly digest: Digest
}

const listings = new WeakMap<Catalog, CatalogListing>()

/** Lists a catalog. It is made once, since a catalog never changes. */
export function catalogListing(catalog: Catalog): CatalogListing {
  const known = listings.get(catalog)
  if (known !== undefined) return known
  const places = new Map<ContentHash, number>()
  const tools: ListedTool[] = []
  const placeOf = (tool: Tool): number => {
    const place = places.get(tool.hash) ?? tools.push(listedTool(tool)) - 1
    places.set(tool.hash, place)
    return place
  }
  const listing: CatalogListing = {
    hash: catalog.hash,
    skills: Array.from(catalog.skills.values(), (skill) => {
      const own = catalog.skillTools.get(skill.name) ?? []
      return {
        ...listedSkill(skill),
        ...(own.length > 0 && { tools: own.map((one) => placeWith(one, placeOf(one.tool))) }),
      }
    }),
    shadowed: catalog.shadowedSkills.map((skill) => ({
      ...listedSkill(skill),
      toolNames: skill.tools.map((tool) => (typeof tool === 'string' ? tool : tool.name)),
    })),
    tools,
    shared: [...catalog.sharedTools.values()].flat().map(placeOf),
    global: catalog.globalTools.map(placeOf),
    components: Array.from(catalog.components.values(), (component) => [
      component.key,
      digestOf(componentHash(component)),
    ]),
  }
  listings.set(catalog, listing)
  return listing
}

function listedSkill(skill: Skill): ListedSkill {
  const { name, displayName, description, hash } = skill
  return {
    name,
    ...(displayName !== displayNameOf(name) && { displayName }),
    description,
    digest: digestOf(hash),
    ...withoutDefaults(skill, SKILL_DEFAULTS),
  }
}

function listedTool(tool: Tool): ListedTool {
  const { name, description, hash } = tool
  return {
    name,
    description,
    digest: digestOf(hash),
    ...withoutDefaults(tool, { ...TOOL_DEFAULTS, ...TOOL_OPTIONS }),
  }
}

/** Returns the members that are named in `defaults` and differ. */
function withoutDefaults<T, K extends keyof T>(
  value: T,
  defaults: Readonly<Record<K, unknown>>,
): Partial<Pick<T, K>> {
  const members = Object.entries(defaults).flatMap(([key, usual]) => {
    const own: unknown = value[key as K]
    const isUsual = Array.isArray(own) ? own.length === 0 : own === usual
    return isUsual ? [] : [[key, own] as const]
  })
  return Object.fromEntries(members) as Partial<Pick<T, K>>
}

function placeWith(one: SkillTool, place: number) {
  const { tool: _, ...how } = one
  const isOwn = how.toolset === undefined && how.extendedFrom === undefined && !how.picked
  return isOwn ? place : ([place, how] as const)
}

function digestOf(hash: ContentHash): Digest {
  return hash.slice('sha256:'.length)
}

function hashOf(digest: Digest): ContentHash {
  return `sha256:${digest}`
}

/** Definitions in full, from the log or from disk, which replace the listed ones. */
export interface FullDefinitions {
  skill(hash: ContentHash): Skill | undefined
  tool(hash: ContentHash): Tool | undefined
  readonly components: Iterable<ToolComponent>
  readonly agents: readonly Agent[]
  /** Skills with their tools in another version than the listed one, by name. */
  readonly kept?: ReadonlyMap<string, KeptSkill>
}

interface KeptSkill {
  readonly skill: Skill
  readonly tools: readonly SkillTool[]
}

/** Skills and tools that only a listing describes: their texts and schemas are not known. */
const listedOnly = new WeakSet<object>()

/** Returns true for a skill or tool whose texts and schemas are not known. */
export function isListedOnly(definition: Skill | Tool): boolean {
  return listedOnly.has(definition)
}

const sources = new WeakMap<Catalog, { listing: CatalogListing; known: FullDefinitions }>()

/**
 * Restores a catalog from its listing, for reading sessions. Known definitions are in it in full. It
 * has no toolsets and no rules. Definitions are made on first use.
 */
export function catalogFromListing(listing: CatalogListing, known: FullDefinitions): Catalog {
  const toolAt = (place: number): Tool => known.tool(hashAt(place)) ?? thinTool(place)
  const hashAt = (place: number) => hashOf(listing.tools[place]?.digest ?? '')
  const thin = new Map<number, Tool>()
  const thinTool = (place: number): Tool => {
    const made = thin.get(place) ?? toolOnly(listing.tools[place] as ListedTool)
    thin.set(place, made)
    return made
  }
  const byName = () => {
    const listed = new Map(listing.skills.map((one) => [one.name, one]))
    for (const [name, { skill }] of known.kept ?? []) {
      if (!listed.has(name)) listed.set(name, listedSkill(skill))
    }
    return listed
  }
  const shared = Map.groupBy(listing.shared, (place) => listing.tools[place]?.name ?? '')
  const digests = new Map(listing.components)
  const components = Iterator.from(known.components).filter(
    (one) => digests.get(one.key) === digestOf(componentHash(one)),
  )
  const catalog = Object.freeze<Catalog>({
    hash: listing.hash,
    skills: new LazyMap(
      byName,
      (one, name) =>
        known.kept?.get(name)?.skill ?? known.skill(hashOf(one.digest)) ?? skillOnly(one),
    ),
    shadowedSkills: Object.freeze(listing.shadowed.map(skillOnly)),
    toolsets: freezeMap(new Map()),
    agents: freezeMap(new Map(known.agents.map((agent) => [agent.name, agent]))),
    components: freezeMap(new Map([...components].map((one) => [one.key, one]))),
    sharedTools: new LazyMap(
      () => shared,
      (places) => Object.freeze(places.map(toolAt)),
    ),
    get globalTools() {
      return listing.global.map(toolAt)
    },
    skillTools: new LazyMap(
      byName,
      ({ tools = [] }, name) =>
        known.kept?.get(name)?.tools ??
        Object.freeze(
          tools.map((one): SkillTool => {
            const [place, how] = typeof one === 'number' ? [one, { picked: false }] : one
            return { tool: toolAt(place), ...how }
          }),
        ),
    ),
    bringers: freezeMap(bringersIn(listing)),
    rules: freezeMap(new Map()),
    toolsByHash: freezeMap(new Map()),
    diagnostics: Object.freeze([]),
  })
  sources.set(catalog, { listing, known })
  return catalog
}

/**
 * Restores a catalog that was made from a listing again, with more known definitions. Returns null for any
 * other catalog.
 */
export function withKnown(
  catalog: Catalog,
  more: Pick<FullDefinitions, 'skill' | 'tool' | 'kept'>,
): Catalog | null {
  const source = sources.get(catalog)
  if (source === undefined) return null
  const { listing, known } = source
  return catalogFromListing(listing, {
    ...known,
    ...more,
    skill: (hash) => known.skill(hash) ?? more.skill(hash),
    tool: (hash) => known.tool(hash) ?? more.tool(hash),
  })
}

function bringersIn({ skills, tools }: CatalogListing): Map<string, readonly string[]> {
  const bringers = new Map<string, string[]>()
  for (const skill of skills) {
    for (const one of skill.tools ?? []) {
      const name = tools[typeof one === 'number' ? one : one[0]]?.name ?? ''
      const known = bringers.get(name)
      if (known === undefined) bringers.set(name, [skill.name])
      else known.push(skill.name)
    }
  }
  return bringers
}

function skillOnly(record: ListedSkill): Skill {
  const { digest, tools: _, toolNames = [], ...listed } = record
  const skill = Object.freeze<Skill>({
    ...SKILL_DEFAULTS,
    displayName: displayNameOf(listed.name),
    ...listed,
    instructions: '',
    tools: toolNames,
    toolsets: [],
    files: [],
    metadata: {},
    diagnostics: [],
    hash: hashOf(digest),
  })
  listedOnly.add(skill)
  return skill
}

function toolOnly({ digest, ...listed }: ListedTool): Tool {
  const tool = storedTool({
    ...TOOL_DEFAULTS,
    ...listed,
    summary: listed.description,
    phrases: [],
    related: [],
    idempotent: false,
    inputSchema: {},
    hash: hashOf(digest),
  })
  listedOnly.add(tool)
  return tool
}

/** Reads a stored definition as a listing; null when it is not a listing. */
export function readListing(stored: unknown): CatalogListing | null {
  const isListing =
    typeof stored === 'object' && stored !== null && 'shadowed' in stored && 'tools' in stored
  return isListing ? (stored as CatalogListing) : null
}
