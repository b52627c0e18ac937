import { createHash } from 'node:crypto'
import type { Catalog, ContentHash, Diagnostic, Tool } from '../../../entries/index.ts'
import type { SkillTool } from '../../../entries/manifest.ts'
import type { WritableManifest } from '../format/carnet-manifest.ts'
import { carnetToolName } from '../format/definitions-of-manifest.ts'
import { manifestDefinitions } from './manifest-definitions.ts'
import type { ManifestNames } from './manifest-names.ts'
import { unknownReference } from '../../../catalog/create/unknown-reference.ts'
import { LazyMap } from '../../../catalog/manifest/lazy-map.ts'

/**
 * Returns a manifest as a catalog.
 *
 * Every definition is made when it is first needed: a session uses only the skills it loads, and
 * defining ten thousand takes longer than the rest of Carnet's start. No tool is global: a tool
 * that no toolset lists is never exposed.
 */
export function manifestCatalog(manifest: WritableManifest, names: ManifestNames): Catalog {
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
    leftToPeople: new Map(),
    takeArguments: [],
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

/** Returns every tool that is described or that a toolset lists. */
function toolKeys(
  { tools, toolsets }: WritableManifest,
  names: ManifestNames,
): ReadonlyMap<string, string> {
  const listed = Object.values(toolsets).flatMap((toolset) => toolset.tools)
  return new Map([...Object.keys(tools), ...listed].map((key) => [names.tools.idOf(key), key]))
}

function bringersById(
  { skills, toolsets }: WritableManifest,
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

/** Reports names that a manifest uses and does not define. Each use is ignored. */
function manifestFindings({
  app,
  agents,
  skills,
  toolsets,
  tools,
}: WritableManifest): readonly Diagnostic[] {
  const known = (entries: Readonly<Record<string, unknown>>) => new Map(Object.entries(entries))
  const unknownSkill = unknownReference('skill', known(skills))
  const unknownToolset = unknownReference('toolset', known(toolsets))
  const unknownTool = unknownReference('tool', known(tools))
  const missing = (names: readonly string[], entries: object) =>
    names.filter((name) => !Object.hasOwn(entries, name))
  return Object.freeze([
    ...Object.entries(agents).flatMap(([name, agent]) => {
      const lists = {
        initialSkills: [...app.globalInitialSkills, ...agent.initialSkills],
        skills: [...app.globalSkills, ...agent.skills],
      }
      return Object.entries(lists).flatMap(([field, list]) =>
        missing(list, skills).map((to) =>
          unknownSkill({ from: { kind: 'agent', name }, field, to }),
        ),
      )
    }),
    ...Object.entries(skills).flatMap(([name, skill]) =>
      missing(skill.toolsets, toolsets).map((to) =>
        unknownToolset({ from: { kind: 'skill', name }, field: 'toolsets', to }),
      ),
    ),
    ...Object.entries(toolsets).flatMap(([name, toolset]) =>
      missing(toolset.tools, tools).map((to) =>
        unknownTool({ from: { kind: 'toolset', name }, field: 'tools', to }),
      ),
    ),
  ])
}

/**
 * Number of entries written as JSON at a time. Writing all at once, or one by one, takes twice as
 * long.
 */
const BATCH_SIZE = 64

/**
 * Returns the hash of a checked manifest: over every text that a model may read, in the manifest's
 * order.
 *
 * A checked manifest has its members in a fixed order, so the expensive canonical writer is not
 * needed.
 */
function manifestHash({ version, app, ...kinds }: WritableManifest): ContentHash {
  const hash = createHash('sha256').update(JSON.stringify({ version, app }))
  for (const [kind, given] of Object.entries(kinds)) {
    const entries = Object.entries(given)
    hash.update(`\n${kind} ${entries.length}`)
    for (let from = 0; from < entries.length; from += BATCH_SIZE) {
      hash.update(JSON.stringify(entries.slice(from, from + BATCH_SIZE)))
    }
  }
  return `sha256:${hash.digest('hex')}`
}
