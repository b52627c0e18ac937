import {
  indexBringers,
  type Catalog,
  catalogHash,
  componentHash,
  freezeMap,
  namesOfTools,
  indexSkillServers,
  skillsLeftToPeople,
  skillsWithArguments,
} from './catalog.ts'
import { checkLookAlikes } from './check-look-alikes.ts'
import { checkAgents, checkSkillLinks } from './check-skill-links.ts'
import { toolFindings, notImportedTools } from './tool-findings.ts'
import { collectSkillTools, toolResolver } from './tool-resolver.ts'
import { unknownRelated } from './unknown-reference.ts'
import {
  gatherRules,
  gatherToolsets,
  shareTools,
  uniqueByName,
  uniqueComponents,
} from './unique-by-name.ts'
import { assertComponent, type ToolComponent } from '../../components/define-component.ts'
import { checkFields, type FieldRules } from '../../kernel/check-fields.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { isObject } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { indexConditions } from '../../skills/definition/activation-condition.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { assertTool, isBound } from '../../tools/definition/make-tool.ts'
import { pickVersion } from '../../tools/definition/parse-tool-reference.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The definitions of a catalog. Of two definitions of the same kind and name, the first is used. */
export interface CatalogInput {
  readonly skills?: readonly Skill[]
  readonly toolsets?: readonly Toolset[]
  /** Shared tools, which skills and toolsets can name. A tool that none of them names is global. */
  readonly tools?: readonly Tool[]
  readonly components?: readonly ToolComponent[]
  readonly agents?: readonly Agent[]
  /** Servers of tools. Nothing connects to them before a skill or the host needs them. */
  readonly servers?: readonly ToolServer[]
  /** Rules by topic, such as the files of a `rules` folder. */
  readonly rules?: readonly TopicRules[]
  /** Findings of the code that loaded the definitions. */
  readonly diagnostics?: readonly Diagnostic[]
  /** Files of code that define tools and were not imported. Each is a finding, unless `diagnostics` has one about it. */
  readonly toolModules?: readonly { readonly file: string }[]
  /**
   * True to throw `CATALOG_INVALID` for what can only be an error in code: an unknown name, a name
   * that is taken, and a requirement that can never be met.
   */
  readonly strict?: boolean
  /** Gets each finding once, when the catalog is made. */
  onDiagnostic?(diagnostic: Diagnostic): void
}

/**
 * Creates a catalog: resolves the names in definitions, checks them, indexes and hashes them.
 *
 * The input can be what `loadSkills`, `loadCarnet` and `bindHandlers` of `loadout/node` return.
 *
 * A bad definition makes it fail only with `strict`. Otherwise it is left out or used in part, and
 * `diagnostics` reports it.
 * The order of the input matters only for names that occur twice. A toolset that a skill contains by
 * value can be named by other skills, too. Takes time linear in the definitions.
 */
export async function createCatalog(input: CatalogInput): Promise<Catalog> {
  checkDefinitions(input)
  const given = input.skills ?? []
  // A skill with an error could not be read by its loader.
  const loaded = given.filter((one) =>
    one.diagnostics.every(({ severity }) => severity !== 'error'),
  )
  const skills = uniqueByName('skill', loaded)
  const agents = uniqueByName('agent', input.agents ?? [])
  const components = uniqueComponents(input.components ?? [])
  const toolsets = gatherToolsets(input.toolsets ?? [], skills.unique.values())
  const shared = shareTools(input.tools ?? [])
  const rules = gatherRules(input.rules ?? [])
  const servers = uniqueByName('server', input.servers ?? [])
  const diagnostics: Diagnostic[] = [
    ...(input.diagnostics ?? []),
    ...notImportedTools(input.toolModules ?? [], input.diagnostics ?? []),
    ...given.flatMap((skill) => skill.diagnostics),
    ...[skills, toolsets, agents, components, shared, rules, servers].flatMap(
      (kind) => kind.diagnostics,
    ),
  ]

  const resolver = toolResolver(shared.tools, toolsets.unique, diagnostics, servers.unique)
  const skillTools = collectSkillTools(skills.unique, resolver.toolsOf, diagnostics)
  const tools = [
    ...[...shared.tools.values()].flat(),
    ...[...skillTools.values()].flat().map(({ tool }) => tool),
    ...[...toolsets.unique.values()].flatMap(resolver.toolsIn).map(({ tool }) => tool),
    ...[...components.unique.values()].flatMap((component) => component.tools),
  ]
  const toolsByHash = indexByHash(tools, diagnostics)
  diagnostics.push(
    ...[...toolsByHash.values()].flatMap(toolFindings),
    ...checkSkillLinks(skills.unique, toolsets.unique, servers.unique),
    ...checkAgents(agents.unique, skills.unique, resolver),
    ...checkLookAlikes('skill', skills.unique.keys()),
    ...checkLookAlikes('toolset', toolsets.unique.keys()),
    ...checkLookAlikes('agent', agents.unique.keys()),
    ...checkLookAlikes('tool', new Set(tools.map(({ name }) => name).sort(byName))),
  )
  const found = dedupeDiagnostics(diagnostics)
  report(found, tools, input)
  const conditional = indexConditions(skills.unique.values())
  return Object.freeze<Catalog>({
    hash: catalogHash({
      skills: skills.unique.values(),
      toolsets: toolsets.unique.values(),
      agents: agents.unique.values(),
      components: Array.from(components.unique.values(), componentHash),
      tools: [...shared.tools.values()].flat(),
      rules: rules.unique.values(),
      servers: servers.unique.values(),
    }),
    skills: freezeMap(skills.unique),
    shadowedSkills: Object.freeze(skills.shadowed),
    toolsets: freezeMap(toolsets.unique),
    agents: freezeMap(agents.unique),
    components: freezeMap(components.unique),
    sharedTools: freezeMap(shared.tools),
    globalTools: globalTools(shared.tools, resolver.isClaimed),
    skillTools: freezeMap(skillTools),
    rules: freezeMap(rules.unique),
    ...(servers.unique.size > 0 && {
      servers: freezeMap(servers.unique),
      skillServers: freezeMap(indexSkillServers(skills.unique, toolsets.unique)),
    }),
    bringers: indexBringers(namesOfTools(skillTools)),
    leftToPeople: freezeMap(skillsLeftToPeople(skills.unique.values())),
    takeArguments: skillsWithArguments(skills.unique.values()),
    ...(conditional && { conditional: freezeMap(conditional) }),
    toolsByHash: freezeMap(toolsByHash),
    diagnostics: found,
  })
}

/** The findings that are never intended in code. Those of severity `info` are only remarks. */
const ERRORS: ReadonlySet<string> = new Set([
  'unknown-skill',
  'unknown-tool',
  'unknown-toolset',
  'invalid-tool-reference',
  'related-unknown',
  'requirement-cycle',
  'extends-cycle',
  'impossible-requirement',
  'tool-clash',
  'duplicate-skill',
  'duplicate-agent',
  'duplicate-component',
  'duplicate-toolset',
  'duplicate-tool',
  'duplicate-rules',
  'duplicate-server',
  'unknown-server',
])

/** Throws the errors among the findings of a catalog, or passes each to `onDiagnostic`, if the options ask for it. */
function report(
  listed: readonly Diagnostic[],
  tools: readonly Tool[],
  { strict = false, onDiagnostic }: CatalogInput,
): void {
  if (!strict && onDiagnostic === undefined) return
  const names = new Set(tools.map(({ name }) => name))
  // `lint` reports these at its own level, with their place.
  const related = dedupeDiagnostics(tools.flatMap((tool) => unknownRelated(tool, names)))
  const found = [...listed, ...related]
  const errors = found.filter(
    ({ code, severity }) => severity === 'error' || (severity === 'warning' && ERRORS.has(code)),
  )
  if (strict && errors.length > 0) {
    const messages = errors.map(({ message }) => message).join(' ')
    throw new WorkspaceError('CATALOG_INVALID', `The catalog has errors: ${messages}`, {
      facts: { diagnostics: errors },
      hint: [...new Set(errors.map(({ hint }) => hint))].join(' '),
    })
  }
  for (const one of found) onDiagnostic?.(one)
}

/** Throws for what the types prevent in TypeScript: unknown fields, and values that no definition function made. */
export function checkDefinitions(input: CatalogInput): void {
  checkFields(input, isObject(input) && 'scanned' in input ? LOADED_CATALOG : CATALOG)
  const check = (field: string, isRight: boolean, what: string, hint = CATALOG.hint) => {
    if (isRight) return
    const message = `"${field}" of a catalog ${what}.`
    throw new WorkspaceError('CATALOG_INVALID', message, { facts: { field }, hint })
  }
  for (const field of LISTS) {
    check(field, input[field] === undefined || Array.isArray(input[field]), 'must be a list')
  }
  const { strict = false, onDiagnostic = () => undefined } = input
  check('strict', typeof strict === 'boolean', 'must be a boolean', 'Give true or false, not text.')
  const isFunction = typeof onDiagnostic === 'function'
  check('onDiagnostic', isFunction, 'must be a function', 'Give a function, or leave it out.')
  input.tools?.forEach(assertTool)
  input.components?.forEach(assertComponent)
  const hashed = { skills: 'Skill', toolsets: 'Toolset', agents: 'Agent', rules: 'Rules' } as const
  for (const [field, kind] of Object.entries(hashed) as [keyof typeof hashed, string][]) {
    const wrong = input[field]?.some((one: unknown) => !isObject(one) || !('hash' in one))
    check(field, wrong !== true, `has a value that define${kind} did not make`)
  }
}

const LISTS = [
  'skills',
  'toolsets',
  'tools',
  'components',
  'agents',
  'servers',
  'rules',
  'diagnostics',
  'toolModules',
] as const

const CATALOG: FieldRules = {
  kind: 'a catalog',
  subject: 'Catalog',
  code: 'CATALOG_INVALID',
  name: { field: 'name', fact: 'catalog' },
  fields: [...LISTS, 'strict', 'onDiagnostic'],
  hint: 'Give lists of what defineSkill, defineTool and the like return.',
}

/** The fields of what a loader returns, which has more than a catalog needs. */
const LOADED_CATALOG: FieldRules = {
  ...CATALOG,
  fields: [
    ...CATALOG.fields,
    'handlers',
    'serverSources',
    'items',
    'carnet',
    'scanned',
    'variables',
    'config',
  ],
}

/** Lists a finding once that both the loader and the skill report. */
function dedupeDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map((one) => [JSON.stringify(one), Object.freeze({ ...one })]))
  return Object.freeze([...unique.values()])
}

/** Returns a copy of a catalog in which some skills are replaced or added. */
export async function withSkills(catalog: Catalog, skills: readonly Skill[]): Promise<Catalog> {
  if (skills.length === 0) return catalog
  checkDefinitions({ skills })
  const names = new Set(skills.map(({ name }) => name))
  const others = [...catalog.skills.values()].filter(({ name }) => !names.has(name))
  return createCatalog({
    skills: [...skills, ...others, ...catalog.shadowedSkills],
    toolsets: [...catalog.toolsets.values()],
    tools: [...catalog.sharedTools.values()].flat(),
    components: [...catalog.components.values()],
    agents: [...catalog.agents.values()],
    rules: [...catalog.rules.values()],
    servers: [...(catalog.servers?.values() ?? [])],
    diagnostics: catalog.diagnostics,
  })
}

/**
 * Returns the catalog `after` with some skills of `before`: their definitions and exactly the tools
 * they had, including shared and inherited tools, with their handlers.
 */
export async function keepSkills(
  after: Catalog,
  before: Catalog,
  names: readonly string[],
): Promise<Catalog> {
  const skills = names.flatMap((name) => before.skills.get(name) ?? [])
  if (skills.length === 0) return after
  const catalog = await withSkills(after, skills)
  const kept = new Map(skills.map(({ name }) => [name, before.skillTools.get(name) ?? []]))
  const skillTools = new Map([...catalog.skillTools, ...kept])
  const tools = [...kept.values()].flat().map(({ tool }) => [tool.hash, tool] as const)
  return Object.freeze<Catalog>({
    ...catalog,
    skillTools: freezeMap(skillTools),
    bringers: indexBringers(namesOfTools(skillTools)),
    toolsByHash: freezeMap(new Map([...catalog.toolsByHash, ...tools])),
  })
}

/** Returns the shared tools that no skill or toolset has claimed, one version of each name. */
function globalTools(
  shared: ReadonlyMap<string, readonly Tool[]>,
  isClaimed: (tool: Tool) => boolean,
): readonly Tool[] {
  const free = [...shared].flatMap(([name, versions]) => {
    const unclaimed = versions.filter((tool) => !isClaimed(tool))
    return unclaimed.length > 1 ? (pickVersion({ name, range: '*' }, unclaimed) ?? []) : unclaimed
  })
  return Object.freeze(free)
}

/**
 * Indexes tools by definition hash: of each hash, the first tool with a handler, or else the first.
 *
 * A skill always uses its own handler, whatever the index contains. Two equal definitions with
 * different handlers are one tool while both skills are active. That is reported, because only one
 * of the handlers runs.
 */
function indexByHash(tools: Iterable<Tool>, diagnostics: Diagnostic[]): Map<ContentHash, Tool> {
  const index = new Map<ContentHash, Tool>()
  const reported = new Set<ContentHash>()
  for (const tool of tools) {
    const first = index.get(tool.hash)
    if (!isBound(first)) {
      if (first === undefined || isBound(tool)) index.set(tool.hash, tool)
    } else if (isBound(tool) && tool.execute !== first?.execute && !reported.has(tool.hash)) {
      reported.add(tool.hash)
      diagnostics.push({
        code: 'ambiguous-handler',
        severity: 'warning',
        message: `The tool "${tool.name}" has two identical definitions with different handlers: while both can be called, only one handler runs.`,
        hint: 'Share one tool, or give the two different names or descriptions.',
      })
    }
  }
  return index
}
