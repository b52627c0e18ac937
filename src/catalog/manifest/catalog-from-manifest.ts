import type { ToolComponent } from '../../components/tool-component.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { bringersOf } from '../create/bringers-of.ts'
import type { Catalog } from '../create/catalog.ts'
import { freezeMap } from '../create/freeze-map.ts'
import { toolResolver } from '../create/resolve-tools.ts'
import { checkComponents } from './given-components.ts'
import { LazyMap } from './lazy-map.ts'
import { manifestTools } from './manifest-tools.ts'
import type { Manifest, ManifestTool } from './manifest.ts'
import { readManifest } from './read-manifest.ts'
import { type StoredParts, storedDefinitions } from './stored-definitions.ts'
import { storedSkillTools } from './stored-skill-tools.ts'
import { verifyManifest } from './verify-manifest.ts'

export interface FromManifestOptions extends Omit<StoredParts, 'onTool'> {
  /**
   * Define everything anew and compare every hash, in time with the size of the manifest. On unless
   * it is said that this very file was verified before, such as when it was deployed: false takes
   * its hashes on trust, and approvals are bound to them.
   */
  readonly verify?: boolean
  /** The code of the components it was built with. */
  readonly components?: readonly ToolComponent[]
}

/**
 * The catalog that a manifest was built from. Definitions are made when they are first asked for, so
 * a catalog of ten thousand skills is there at once; what checks and links found is not looked for
 * again. The parsed value is frozen as it is used, and is the catalog's from now on.
 *
 * Throws `MANIFEST_FORMAT`, `MANIFEST_INVALID` or `MANIFEST_CHANGED`.
 */
export async function catalogFromManifest(
  parsed: unknown,
  { verify = true, components = [], ...parts }: FromManifestOptions = {},
): Promise<Catalog> {
  const manifest = readManifest(parsed)
  if (verify) await verifyManifest(manifest)
  return storedCatalog(manifest, components, parts)
}

function storedCatalog(
  manifest: Manifest,
  components: readonly ToolComponent[],
  parts: StoredParts,
): Catalog {
  const makers = storedDefinitions({
    ...parts,
    onTool: (tool) => toolsByHash.keep(tool.hash, tool),
  })
  const componentTools = components.flatMap(({ tools }) => tools)
  const toolsByHash = new LazyMap<ContentHash, ManifestTool | Tool, Tool>(
    () => indexTools(manifest, componentTools),
    (one) => ('parseInput' in one ? one : makers.tool(one)),
  )
  const skills = new LazyMap(
    () => new Map(manifest.skills.map((record) => [record.name, record])),
    makers.skill,
  )
  const toolsets = new LazyMap(
    () => new Map(manifest.toolsets.map((record) => [record.name, record])),
    makers.toolset,
  )
  const shared = new LazyMap<string, readonly ManifestTool[], readonly Tool[]>(
    () => groupByName(manifest.tools),
    (records) => Object.freeze(records.map(makers.tool)),
  )
  const told: Diagnostic[] = []
  const resolver = toolResolver(shared, toolsets, told)
  const toolsOf = storedSkillTools(manifest.skills, skills, resolver)
  const skillTools = new LazyMap(
    () => new Map(manifest.skills.map((record) => [record.name, record])),
    toolsOf,
  )
  let bringers: Catalog['bringers'] | undefined
  let globalTools: readonly Tool[] | undefined
  return Object.freeze<Catalog>({
    hash: manifest.version,
    skills: skills satisfies ReadonlyMap<string, Skill>,
    shadowedSkills: Object.freeze([]),
    toolsets: toolsets satisfies ReadonlyMap<string, Toolset>,
    agents: freezeMap(new Map(manifest.agents.map((agent) => [agent.name, deepFreeze(agent)]))),
    components: freezeMap(new Map(components.map((component) => [component.key, component]))),
    rules: freezeMap(new Map(manifest.rules.map((rules) => [rules.topic, deepFreeze(rules)]))),
    sharedTools: shared,
    get globalTools() {
      globalTools ??= Object.freeze(
        manifest.globalTools.flatMap((hash) => toolsByHash.get(hash) ?? []),
      )
      return globalTools
    },
    skillTools,
    get bringers() {
      bringers ??= freezeMap(bringersOf(skillTools))
      return bringers
    },
    toolsByHash,
    diagnostics: Object.freeze(checkComponents(manifest, components)),
  })
}

function indexTools(
  manifest: Manifest,
  componentTools: readonly Tool[],
): ReadonlyMap<ContentHash, ManifestTool | Tool> {
  const index = new Map<ContentHash, ManifestTool | Tool>()
  for (const tool of manifestTools(manifest)) if (!index.has(tool.hash)) index.set(tool.hash, tool)
  for (const tool of componentTools) index.set(tool.hash, tool)
  return index
}

function groupByName(tools: readonly ManifestTool[]): ReadonlyMap<string, readonly ManifestTool[]> {
  const groups = new Map<string, ManifestTool[]>()
  for (const tool of tools) {
    const known = groups.get(tool.name)
    if (known === undefined) groups.set(tool.name, [tool])
    else known.push(tool)
  }
  return groups
}
