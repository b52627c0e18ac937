import { type Catalog, componentHash, type SkillTool, toolNamesOf } from './create/catalog.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import { displayNameOf } from '../skills/definition/definition-name.ts'
import type { Skill } from '../skills/definition/skill.ts'
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

/**
 * Members of a skill that a listing leaves out when they have these values. They are a part of the stored form:
 * a listing that was stored earlier lacks them, and is read with them. So they do not follow the defaults of
 * new definitions; a change of one needs a member of its own in new listings.
 */
export const SKILL_DEFAULTS = {
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

/** Members of a skill that a listing has when the skill has them. */
const SKILL_OPTIONS = {
  disableModelInvocation: undefined,
  userInvocable: undefined,
  fork: undefined,
  programs: undefined,
  disallowedTools: undefined,
  arguments: undefined,
  paths: undefined,
  when: undefined,
}

/** Members of a tool that a listing leaves out when they have these values; a part of the stored form, too. */
export const TOOL_DEFAULTS = {
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
export type Digest = string

/** A skill in a listing. */
export interface ListedSkill extends Partial<
  Pick<Skill, keyof typeof SKILL_DEFAULTS | keyof typeof SKILL_OPTIONS | 'displayName'>
> {
  readonly name: string
  readonly description: string
  readonly digest: Digest
  /** The places of its tools, or what else the catalog knows about them. */
  readonly tools?: readonly (number | readonly [place: number, how: Omit<SkillTool, 'tool'>])[]
  /** The names of the tools of a shadowed skill, also those of its toolsets and of the skills it extends. */
  readonly toolNames?: readonly string[]
}

/** A tool in a listing. */
export interface ListedTool extends Partial<
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
  const addTool = (tool: Tool): number => {
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
        ...(own.length > 0 && { tools: own.map((one) => placeWith(one, addTool(one.tool))) }),
      }
    }),
    shadowed: catalog.shadowedSkills.map((skill) => ({
      ...listedSkill(skill),
      toolNames: toolNamesOf(skill, catalog),
    })),
    tools,
    shared: [...catalog.sharedTools.values()].flat().map(addTool),
    global: catalog.globalTools.map(addTool),
    components: Array.from(catalog.components.values(), (component) => [
      component.key,
      hashDigest(componentHash(component)),
    ]),
  }
  listings.set(catalog, listing)
  return listing
}

/** Lists a skill without its tools. */
export function listedSkill(skill: Skill): ListedSkill {
  const { name, displayName, description, hash } = skill
  return {
    name,
    ...(displayName !== displayNameOf(name) && { displayName }),
    description,
    digest: hashDigest(hash),
    ...withoutDefaults(skill, { ...SKILL_DEFAULTS, ...SKILL_OPTIONS }),
  }
}

function listedTool(tool: Tool): ListedTool {
  const { name, description, hash } = tool
  return {
    name,
    description,
    digest: hashDigest(hash),
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
  const isOwn =
    how.toolset === undefined &&
    how.extendedFrom === undefined &&
    !how.picked &&
    how.server === undefined
  return isOwn ? place : ([place, how] as const)
}

/** Returns the digest of a hash. */
export function hashDigest(hash: ContentHash): Digest {
  return hash.slice('sha256:'.length)
}
