import type { Catalog, SkillTool } from '../../../catalog/create/catalog.ts'
import { LazyMap } from '../../../catalog/manifest/lazy-map.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { carnetToolName } from '../format/carnet-name.ts'
import type { Manifest } from '../format/manifest.ts'
import { manifestDefinitions } from './manifest-definitions.ts'
import { manifestFindings } from './manifest-findings.ts'
import { manifestHash } from './manifest-hash.ts'
import type { ManifestNames } from './manifest-names.ts'

/**
 * A manifest as a catalog. Every definition is made when it is first asked for: a session looks at
 * the few skills it loads, and defining ten thousand takes longer than all that Carnet does at the
 * start of a process. No tool is global: one that no toolset lists is never exposed.
 */
export function manifestCatalog(manifest: Manifest, names: ManifestNames): Catalog {
  const { agents, skills, toolsets } = manifest
  const define = manifestDefinitions(manifest, names)
  const skillKeys = once(() => keysById(skills, (key) => names.skills.idOf(key)))
  const made = new Map<string, Tool>()
  const toolNamed = (name: string): Tool => {
    const id = names.tools.idOf(name)
    const tool = made.get(id) ?? define.tool(name, id)
    made.set(id, tool)
    toolsByHash.keep(tool.hash, tool)
    return tool
  }
  const toolsByHash: LazyMap<ContentHash, Tool, Tool> = new LazyMap(
    () => {
      const all = Array.from(toolKeys(manifest, names).values(), toolNamed)
      return new Map(all.map((tool) => [tool.hash, tool]))
    },
    (tool) => tool,
  )
  const broughtBy = (skill: string): readonly SkillTool[] => {
    const brought = new Map<string, SkillTool>()
    for (const toolset of skills[skill]?.toolsets ?? []) {
      if (!Object.hasOwn(toolsets, toolset)) continue
      for (const name of toolsets[toolset]?.tools ?? []) {
        if (brought.has(name)) continue
        const through = { toolset: carnetToolName(toolset), picked: true }
        brought.set(name, Object.freeze({ tool: toolNamed(name), ...through }))
      }
    }
    return Object.freeze([...brought.values()])
  }
  const hash = once(() => manifestHash(manifest))
  const diagnostics = once((): readonly Diagnostic[] => manifestFindings(manifest))
  return Object.freeze<Catalog>({
    get hash() {
      return hash()
    },
    get diagnostics() {
      return diagnostics()
    },
    skills: new LazyMap(skillKeys, define.skill),
    agents: new LazyMap(() => keysById(agents, (key) => names.agents.idOf(key)), define.agent),
    toolsets: new LazyMap(() => keysById(toolsets, carnetToolName), define.toolset),
    skillTools: new LazyMap(skillKeys, broughtBy),
    sharedTools: new LazyMap(
      () => toolKeys(manifest, names),
      (name) => Object.freeze([toolNamed(name)]),
    ),
    bringers: new LazyMap(
      () => bringersById(manifest, names),
      (bringers) => Object.freeze(bringers),
    ),
    toolsByHash,
    components: new Map(),
    rules: new Map(),
    shadowedSkills: Object.freeze([]),
    globalTools: Object.freeze([]),
  })
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function keysById(
  entries: Readonly<Record<string, unknown>>,
  idOf: (key: string) => string,
): ReadonlyMap<string, string> {
  return new Map(Object.keys(entries).map((key) => [idOf(key), key]))
}

/** Every tool that is described, or that a toolset lists. */
function toolKeys(
  { tools, toolsets }: Manifest,
  names: ManifestNames,
): ReadonlyMap<string, string> {
  const listed = Object.values(toolsets).flatMap((toolset) => toolset.tools)
  return new Map([...Object.keys(tools), ...listed].map((key) => [names.tools.idOf(key), key]))
}

function bringersById(
  { skills, toolsets }: Manifest,
  names: ManifestNames,
): ReadonlyMap<string, string[]> {
  const bringers = new Map<string, string[]>()
  for (const [key, skill] of Object.entries(skills)) {
    const own = skill.toolsets.flatMap((toolset) =>
      Object.hasOwn(toolsets, toolset) ? (toolsets[toolset]?.tools ?? []) : [],
    )
    for (const name of new Set(own)) {
      const id = names.tools.idOf(name)
      const known = bringers.get(id) ?? []
      bringers.set(id, known)
      known.push(names.skills.idOf(key))
    }
  }
  return bringers
}
