import type { Catalog } from './create/catalog.ts'
import {
  type ComparedFields,
  type DefinitionChange,
  type DefinitionKind,
  diffFields,
  membersOf,
  plainFields,
  skillFields,
} from './diff-fields.ts'
import { byName } from '../kernel/nearest-names.ts'
import type { Toolset } from '../tools/define-toolset.ts'
import { toolDefinition } from '../tools/definition/make-tool.ts'
import type { Tool } from '../tools/definition/tool.ts'

/** A definition as its hash, with its fields on demand. */
interface Compared {
  readonly hash: string
  fields(): ComparedFields
}

/** Returns every definition that differs between two catalogs, by kind and in order of names. */
export function diffCatalogs(before: Catalog, after: Catalog): readonly DefinitionChange[] {
  const of = (kind: DefinitionKind, compared: (catalog: Catalog) => Map<string, Compared>) =>
    changesOf(kind, compared(before), compared(after))
  return [
    ...of('skill', ({ skills }) => mapOf(skills, skillFields)),
    ...of('tool', toolsOf),
    ...of('toolset', ({ toolsets }) => mapOf(toolsets, toolsetFields)),
    ...of('agent', ({ agents }) => mapOf(agents, plainFields)),
    ...of('rules', ({ rules }) => mapOf(rules, plainFields)),
  ]
}

function changesOf(
  kind: DefinitionKind,
  before: ReadonlyMap<string, Compared>,
  after: ReadonlyMap<string, Compared>,
): readonly DefinitionChange[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].sort(byName).flatMap((name): DefinitionChange[] => {
    const [old, now] = [before.get(name), after.get(name)]
    if (old === undefined) return [{ kind, name, what: 'added', fields: [] }]
    if (now === undefined) return [{ kind, name, what: 'removed', fields: [] }]
    if (old.hash === now.hash) return []
    return [{ kind, name, what: 'changed', fields: diffFields(old.fields(), now.fields()) }]
  })
}

function mapOf<T extends { readonly hash: string }>(
  definitions: ReadonlyMap<string, T>,
  fields: (definition: T) => ComparedFields,
): Map<string, Compared> {
  return new Map(
    Array.from(definitions, ([name, one]) => [name, { hash: one.hash, fields: () => fields(one) }]),
  )
}

function toolsetFields(toolset: Toolset): ComparedFields {
  return { ...plainFields(toolset), tools: membersOf(toolset.tools) }
}

/** Returns tools by owner: `owner/tool` for those of a skill or toolset, name and version for shared ones. */
function toolsOf(catalog: Catalog): Map<string, Compared> {
  const tools = new Map<string, Compared>()
  const put = (name: string, tool: Tool) => {
    tools.set(name, { hash: tool.hash, fields: () => ({ ...toolDefinition(tool) }) })
  }
  for (const [name, versions] of catalog.sharedTools) {
    for (const tool of versions) put(versions.length > 1 ? `${name}@${tool.version}` : name, tool)
  }
  for (const [owner, { tools: own }] of [...catalog.toolsets, ...catalog.skills]) {
    for (const tool of own) if (typeof tool !== 'string') put(`${owner}/${tool.name}`, tool)
  }
  return tools
}
