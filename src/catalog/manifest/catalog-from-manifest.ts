import {
  indexBringers,
  type Catalog,
  componentHash,
  freezeMap,
  type SkillTool,
  indexSkillServers,
  skillsLeftToPeople,
  skillsWithArguments,
} from '../create/catalog.ts'
import { collectSkillTools, toolResolver, type ToolResolver } from '../create/tool-resolver.ts'
import { LazyMap } from './lazy-map.ts'
import {
  type Manifest,
  type ManifestServer,
  type ManifestSkill,
  type ManifestTool,
  manifestTools,
  type ManifestToolset,
} from './manifest.ts'
import { readManifest, verifyManifest } from './read-manifest.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import { checkOptions, type OptionsOf } from '../../kernel/check-options.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { deepFreeze } from '../../kernel/json-value.ts'
import { indexConditions } from '../../skills/definition/activation-condition.ts'
import type { Skill, SkillFileReader } from '../../skills/definition/skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { storedTool } from '../../tools/definition/make-tool.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'

export interface FromManifestOptions extends CodeOptions {
  /**
   * Defines everything again and compares every hash, which takes time linear in the manifest. On by
   * default. Turn it off only if this same file was verified before, such as when it was deployed:
   * its hashes are then trusted, and approvals are bound to them.
   */
  readonly verify?: boolean
  /** The code of the components that the manifest was built with. */
  readonly components?: readonly ToolComponent[]
  /** The servers that the manifest was built with. Without one, its stored tools can be found, and not called. */
  readonly servers?: readonly ToolServer[]
}

const OPTIONS: OptionsOf<FromManifestOptions> = {
  verify: 'switch',
  components: 'list',
  servers: 'list',
  handlerOf: 'function',
  readerOf: 'function',
  folderOf: 'function',
}

/** Code and folders that a manifest cannot contain. */
interface CodeOptions {
  /** Returns the handler of a tool, if it has one. */
  readonly handlerOf?: (tool: ManifestTool) => Tool['execute'] | undefined
  /** Returns a reader for the listed files of a skill. Without it they are only listed. */
  readonly readerOf?: (skill: ManifestSkill) => SkillFileReader | undefined
  /** Returns the folder of a skill as the model sees it. */
  readonly folderOf?: (skill: ManifestSkill) => string | undefined
}

/**
 * Restores the catalog that a manifest was built from. Definitions are made on first use, so a catalog
 * of ten thousand skills is ready at once. Checks that ran when the manifest was built are not run
 * again. The parsed value belongs to the catalog from now on and is frozen on use.
 *
 * Throws `MANIFEST_FORMAT`, `MANIFEST_INVALID` or `MANIFEST_CHANGED`.
 */
export async function catalogFromManifest(
  parsed: unknown,
  options: FromManifestOptions = {},
): Promise<Catalog> {
  checkOptions(options, OPTIONS)
  const { verify = true, components = [], servers = [], ...code } = options
  const manifest = readManifest(parsed)
  if (verify) await verifyManifest(manifest)
  return storedCatalog(manifest, components, servers, code)
}

function storedCatalog(
  manifest: Manifest,
  components: readonly ToolComponent[],
  reached: readonly ToolServer[],
  code: CodeOptions,
): Catalog {
  const makers = definitionMakers(code, (tool) => toolsByHash.keep(tool.hash, tool))
  const componentTools = components.flatMap(({ tools }) => tools)
  const toolsByHash = new LazyMap<ContentHash, ManifestTool | Tool, Tool>(
    () => indexTools(manifest, componentTools),
    (one) => ('parseInput' in one ? one : makers.tool(one)),
  )
  // Walking ten thousand records takes longer than all else that a first session does, so it is done once.
  let records: ReadonlyMap<string, ManifestSkill> | undefined
  const recordsByName = () => (records ??= byName(manifest.skills))
  const skills = new LazyMap(recordsByName, makers.skill)
  const toolsets = new LazyMap(() => byName(manifest.toolsets), makers.toolset)
  const shared = new LazyMap<string, readonly ManifestTool[], readonly Tool[]>(
    () => Map.groupBy(manifest.tools, ({ name }) => name),
    (records) => Object.freeze(records.map(makers.tool)),
  )
  const servers = new LazyMap(
    () => byName(manifest.servers ?? []),
    (record) => storedServer(record, reached, makers.tool),
  )
  const toolsOf = storedSkillTools(
    manifest.skills,
    skills,
    toolResolver(shared, toolsets, [], servers),
  )
  const skillTools = new LazyMap(recordsByName, toolsOf)
  let bringers: Catalog['bringers'] | undefined
  let globalTools: readonly Tool[] | undefined
  const conditional = indexConditions(manifest.skills)
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
    ...(manifest.servers && {
      servers,
      skillServers: freezeMap(indexSkillServers(skills, toolsets)),
    }),
    get bringers() {
      bringers ??= indexBringers(namesOfStored(manifest, shared, skillTools))
      return bringers
    },
    leftToPeople: freezeMap(skillsLeftToPeople(manifest.skills)),
    takeArguments: skillsWithArguments(manifest.skills),
    ...(conditional && { conditional: freezeMap(conditional) }),
    toolsByHash,
    diagnostics: Object.freeze(checkComponents(manifest, components)),
  })
}

/** Returns a server with the stored tools of its record. It is connected as the given one with the same hash. */
function storedServer(
  { name, hash, trusted, tools, instructions }: ManifestServer,
  given: readonly ToolServer[],
  toolOf: (record: ManifestTool) => Tool,
): ToolServer {
  const same = given.find((one) => one.name === name && one.hash === hash)
  const stored = {
    ...(tools && {
      listing: {
        tools: tools.map(toolOf),
        leftOut: [],
        ...(instructions !== undefined && { instructions }),
      },
    }),
  }
  const missing: ToolServer = {
    name,
    hash,
    trusted,
    graceMs: 1,
    connect: () =>
      Promise.reject(
        new WorkspaceError('SERVER_INVALID', `The server "${name}" was not given.`, {
          facts: { server: name },
          hint: 'Give the server with which the manifest was built when it is loaded, or build it again.',
        }),
      ),
  }
  return Object.freeze({ ...(same ?? missing), ...stored })
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

function byName<R extends { readonly name: string }>(
  records: readonly R[],
): ReadonlyMap<string, R> {
  const map = new Map<string, R>()
  for (const record of records) map.set(record.name, record)
  return map
}

/**
 * Creates functions that make definitions from their records. Equal hashes give one tool, and hashes
 * are trusted. `onTool` is called with each tool that is made.
 */
function definitionMakers(
  { handlerOf, readerOf, folderOf }: CodeOptions,
  onTool: (tool: Tool) => void,
) {
  const made = new Map<ContentHash, Tool>()

  function tool(record: ManifestTool): Tool {
    const known = made.get(record.hash)
    if (known !== undefined) return known
    const { providers: _, tokens: __, handler: ___, ...definition } = record
    const one = storedTool(definition, handlerOf?.(record))
    made.set(record.hash, one)
    onTool(one)
    return one
  }

  function toolset(record: ManifestToolset): Toolset {
    return Object.freeze({ ...record, tools: Object.freeze(record.tools.map(valueOrName)) })
  }

  /** The tools of a skill are made on first use: most skills of a large catalog are never used. */
  function skill(record: ManifestSkill): Skill {
    const { tools: _, toolsets: __, tokens: ___, workDirection: instructions, ...rest } = record
    const baseDirectory = folderOf?.(record)
    const readFile = record.files.length === 0 ? undefined : readerOf?.(record)
    let tools: Skill['tools'] | undefined
    let toolsets: Skill['toolsets'] | undefined
    for (const member of Object.values(rest)) deepFreeze(member)
    return Object.freeze<Skill>({
      ...rest,
      instructions,
      metadata: Object.freeze(Object.assign(Object.create(null), rest.metadata)),
      get tools() {
        tools ??= Object.freeze(record.tools.map(valueOrName))
        return tools
      },
      get toolsets() {
        toolsets ??= Object.freeze(
          record.toolsets.map((one) => (typeof one === 'string' ? one : toolset(one))),
        )
        return toolsets
      },
      diagnostics: [],
      ...(baseDirectory !== undefined && { baseDirectory }),
      ...(readFile !== undefined && { readFile }),
    })
  }

  function valueOrName(one: ManifestTool | string): Tool | string {
    return typeof one === 'string' ? one : tool(one)
  }

  return { tool, toolset, skill }
}

/**
 * Creates a function that resolves the tools of one skill on first use. All skills that extend others
 * are resolved together, because in a circle of `extends` each depends on the rest.
 *
 * Findings are ignored: they were reported when the manifest was built.
 */
function storedSkillTools(
  records: readonly ManifestSkill[],
  skills: LazyMap<string, ManifestSkill, Skill>,
  { toolsOf }: Pick<ToolResolver, 'toolsOf'>,
): (record: ManifestSkill) => readonly SkillTool[] {
  const collect = (names: Iterable<string>) => {
    const chosen = new Map<string, Skill>()
    for (const name of names) {
      const skill = skills.get(name)
      if (skill !== undefined) chosen.set(name, skill)
    }
    return collectSkillTools(chosen, toolsOf)
  }
  let heirs: ReadonlyMap<string, readonly SkillTool[]> | undefined
  return ({ name, extends: bases }) => {
    if (bases.length === 0) return collect([name]).get(name) ?? []
    heirs ??= collect(
      new Set(records.flatMap((one) => (one.extends.length > 0 ? [one.name, ...one.extends] : []))),
    )
    return heirs.get(name) ?? []
  }
}

/**
 * Yields each skill with the names of its tools. Most name what they bring in their records, so the definitions of a
 * large catalog are not made for their names.
 */
function* namesOfStored(
  { skills, toolsets }: Manifest,
  shared: ReadonlyMap<string, unknown>,
  skillTools: Catalog['skillTools'],
): Generator<readonly [string, readonly string[]]> {
  const sets = new Map(toolsets.map((one) => [one.name, one]))
  for (const { name, tools, toolsets: own, extends: bases, servers = [] } of skills) {
    const used = own.map((one) => (typeof one === 'string' ? sets.get(one) : one))
    const entries = [...tools, ...used.flatMap((one) => one?.tools ?? [])]
    const isWritten =
      bases.length === 0 &&
      servers.length === 0 &&
      used.every((one) => one !== undefined && (one.servers ?? []).length === 0) &&
      entries.every((one) => typeof one !== 'string' || shared.has(one))
    yield [
      name,
      isWritten
        ? [...new Set(entries.map((one) => (typeof one === 'string' ? one : one.name)))]
        : (skillTools.get(name) ?? []).map(({ tool }) => tool.name),
    ]
  }
}

/** Compares the components that a manifest was built with to those given when it is loaded. */
export function checkComponents(
  { components }: Pick<Manifest, 'components'>,
  given: readonly ToolComponent[],
): readonly Diagnostic[] {
  const hashes = new Map(given.map((component) => [component.key, componentHash(component)]))
  const built = new Set(components.map(({ key }) => key))
  return [
    ...components.flatMap(({ key, hash }): Diagnostic[] => {
      const found = hashes.get(key)
      if (found === hash) return []
      const what = found === undefined ? 'was not given' : 'is not the one it was built with'
      return [
        {
          code: found === undefined ? 'component-missing' : 'component-changed',
          severity: 'warning',
          message: `The manifest was built with the component "${key}", which ${what}.`,
          hint: 'Give the component when the manifest is loaded, or build the manifest again.',
        },
      ]
    }),
    ...[...hashes.keys()]
      .filter((key) => !built.has(key))
      .map((key): Diagnostic => ({
        code: 'component-added',
        severity: 'info',
        message: `The component "${key}" was given, and the manifest was built without it.`,
        hint: 'Build the manifest again, so that its version covers the component.',
      })),
  ]
}
