import {
  type CatalogListing,
  type Digest,
  hashDigest,
  type ListedSkill,
  listedSkill,
  type ListedTool,
  SKILL_DEFAULTS,
  TOOL_DEFAULTS,
} from './catalog-listing.ts'
import {
  indexBringers,
  type Catalog,
  componentHash,
  freezeMap,
  type SkillTool,
  skillsLeftToPeople,
  skillsWithArguments,
} from './create/catalog.ts'
import { LazyMap } from './manifest/lazy-map.ts'
import type { ToolComponent } from '../components/define-component.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import { indexConditions } from '../skills/definition/activation-condition.ts'
import type { Agent } from '../skills/definition/define-agent.ts'
import { displayNameOf } from '../skills/definition/definition-name.ts'
import type { Skill } from '../skills/definition/skill.ts'
import { storedTool } from '../tools/definition/make-tool.ts'
import type { Tool } from '../tools/definition/tool.ts'

/** Definitions in full, from the log or from disk, which replace the listed ones. */
export interface FullDefinitions {
  skill(hash: ContentHash): Skill | undefined
  tool(hash: ContentHash): Tool | undefined
  readonly components: Iterable<ToolComponent>
  readonly agents: readonly Agent[]
  /** Skills with their tools in another version than the listed one, by name. */
  readonly kept?: ReadonlyMap<
    string,
    { readonly skill: Skill; readonly tools: readonly SkillTool[] }
  >
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
  const thin = new Map<number, Tool>()
  const toolAt = (place: number): Tool => {
    const listed = listing.tools[place]
    const full = known.tool(asHash(listed?.digest ?? ''))
    if (full !== undefined) return full
    const made = thin.get(place) ?? toolOnly(listed as ListedTool)
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
    (one) => digests.get(one.key) === hashDigest(componentHash(one)),
  )
  const conditional = indexConditions(listing.skills)
  const catalog = Object.freeze<Catalog>({
    hash: listing.hash,
    skills: new LazyMap(
      byName,
      (one, name) =>
        known.kept?.get(name)?.skill ?? known.skill(asHash(one.digest)) ?? skillOnly(one),
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
    bringers: indexBringers(namesOfListed(listing)),
    leftToPeople: freezeMap(skillsLeftToPeople(listing.skills)),
    takeArguments: skillsWithArguments(listing.skills),
    ...(conditional && { conditional: freezeMap(conditional) }),
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

function* namesOfListed({ skills, tools }: CatalogListing) {
  for (const { name, tools: listed = [] } of skills) {
    const places = listed.map((one) => (typeof one === 'number' ? one : one[0]))
    yield [name, places.map((place) => tools[place]?.name ?? '')] as const
  }
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
    hash: asHash(digest),
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
    hash: asHash(digest),
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

function asHash(digest: Digest): ContentHash {
  return `sha256:${digest}`
}
