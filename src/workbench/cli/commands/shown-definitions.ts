import type { Catalog, Skill, TokenCounter, Tool } from '../../../entries/index.ts'
import { describePresuppositions } from '../../../entries/definitions.ts'
import type { DefinedMeans } from '../../project/folders/defined-means.ts'
import { isBound, isListedOnly, toolDefinition } from '../../../entries/manifest.ts'
import { knownSkillTokens, knownToolTokens } from '../../../entries/plan.ts'
import type { ShownDefinition, ShownKind } from './show-text.ts'
import type { OpenCatalog } from '../opening/open-catalog.ts'

type Source = Pick<OpenCatalog, 'catalog' | 'counter' | 'handlers'>

/** Returns the names of all definitions of a kind. */
export function shownNames(kind: ShownKind, catalog: Catalog): readonly string[] {
  switch (kind) {
    case 'skill':
      return [...catalog.skills.keys()]
    case 'tool':
      return [...new Set(listedTools(catalog).map(({ tool }) => tool.name))]
    case 'toolset':
      return [...catalog.toolsets.keys()]
    case 'agent':
      return [...catalog.agents.keys()]
    case 'rules':
      return [...catalog.rules.keys()]
    case 'component':
      return [...catalog.components.keys()]
  }
}

/** Returns the definitions with a kind and a name; `owner/name` also finds a tool. */
export function shownDefinitions(
  kind: ShownKind,
  name: string,
  { catalog, counter, handlers }: Source,
  means: DefinedMeans,
): readonly ShownDefinition[] {
  switch (kind) {
    case 'skill': {
      const shadowed = catalog.shadowedSkills.filter((skill) => skill.name === name)
      return [...present(catalog.skills.get(name)), ...shadowed].map((skill) => ({
        kind,
        name,
        tokens: knownSkillTokens(skill, catalog, counter),
        fields: listedFields(skill, skillFields(skill, catalog, counter, means)),
      }))
    }
    case 'tool':
      return shownTools(name, { catalog, counter, handlers })
    case 'toolset':
      return present(catalog.toolsets.get(name)).map(({ tools, instructions, ...toolset }) => ({
        kind,
        name,
        tokens: counter.count(instructions),
        fields: { ...withoutName(toolset), tools: tools.map(toName), instructions },
      }))
    case 'agent':
      return present(catalog.agents.get(name)).map(({ prompt, ...agent }) => ({
        kind,
        name,
        tokens: counter.count(prompt),
        fields: { ...withoutName(agent), prompt },
      }))
    case 'rules':
      return present(catalog.rules.get(name)).map(({ text, hash, path }) => ({
        kind,
        name,
        tokens: counter.count(text),
        fields: { hash, ...(path !== undefined && { path }), text },
      }))
    case 'component':
      return present(catalog.components.get(name)).map((component) => {
        const { displayName, description, tools, initialState } = component
        const panel = component.panel(initialState)
        return {
          kind,
          name,
          tokens: counter.count([panel.title, ...panel.lines].join('\n')),
          fields: { displayName, description, tools: tools.map(toName), initialState, panel },
        }
      })
  }
}

function skillFields(skill: Skill, catalog: Catalog, counter: TokenCounter, means: DefinedMeans) {
  const { name, tools, toolsets, instructions, readFile, onActivate, onDeactivate, ...rest } = skill
  const brought =
    catalog.skills.get(name) === skill
      ? (catalog.skillTools.get(name) ?? []).map(({ tool, toolset, extendedFrom }) => ({
          name: tool.name,
          tokens: knownToolTokens(tool, counter),
          ...(toolset !== undefined && { toolset }),
          ...(extendedFrom !== undefined && { extendedFrom }),
        }))
      : tools.map((tool) => ({ name: toName(tool) }))
  const hooks = [
    ...(onActivate === undefined ? [] : ['onActivate']),
    ...(onDeactivate === undefined ? [] : ['onDeactivate']),
  ]
  const { presupposes, lacks } = describePresuppositions(skill, means)
  return {
    ...rest,
    presupposes,
    notDefined: lacks,
    ...(catalog.skills.get(name) !== skill && { shadowed: true }),
    hooks,
    filesReadable: readFile !== undefined,
    toolsets: toolsets.map(toName),
    tools: brought,
    instructions,
  }
}

function shownTools(wanted: string, { catalog, counter, handlers }: Source) {
  const matching = listedTools(catalog).filter(
    ({ tool, owner }) =>
      tool.name === wanted || (owner !== null && `${owner}/${tool.name}` === wanted),
  )
  const byHash = Map.groupBy(matching, ({ tool }) => tool.hash)
  return [...byHash].map(([hash, owned]): ShownDefinition => {
    const tool = catalog.toolsByHash.get(hash) ?? owned[0]?.tool
    if (tool === undefined) throw new Error('a group has a member')
    const file = handlers.find((one) => one.tool.hash === hash)
    const { name, inputSchema, outputSchema, documentation, ...definition } = toolDefinition(tool)
    return {
      kind: 'tool',
      name,
      tokens: knownToolTokens(tool, counter),
      fields: listedFields(tool, {
        ...definition,
        hash,
        owners: [...new Set(owned.flatMap(({ owner }) => owner ?? []))],
        folder: file?.folder ?? null,
        handler: file?.path ?? null,
        bound: isBound(tool),
        parameters: inputSchema,
        ...(outputSchema !== undefined && { output: outputSchema }),
        ...(documentation !== undefined && { documentation }),
      }),
    }
  })
}

/** Fields that a listing does not have. */
const UNLISTED: ReadonlySet<string> = new Set([
  'instructions',
  'presupposes',
  'notDefined',
  'files',
  'metadata',
  'hooks',
  'filesReadable',
  'toolsets',
  'phrases',
  'related',
  'summary',
  'idempotent',
  'bound',
  'parameters',
  'folder',
  'handler',
])

/** Returns the fields of a definition that are known: for one that is only listed, some of them. */
function listedFields(
  definition: Skill | Tool,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!isListedOnly(definition)) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !UNLISTED.has(name)))
}

/** Returns the tools with their owners, as in the address `owner/name`; null for a tool that no session can have. */
function listedTools(catalog: Catalog) {
  const owned = [
    ...[...catalog.skillTools].flatMap(([owner, tools]) =>
      tools.map(({ tool }) => ({ tool, owner })),
    ),
    ...[...catalog.components].flatMap(([owner, { tools }]) =>
      tools.map((tool) => ({ tool, owner })),
    ),
    ...catalog.globalTools.map((tool) => ({ tool, owner: 'global' })),
  ]
  const known = new Set(owned.map(({ tool }) => tool.hash))
  // Tools of unused toolsets, and unused versions, have no owner.
  const rest = [
    ...[...catalog.toolsets.values()].flatMap(({ tools }) =>
      tools.filter((tool) => typeof tool !== 'string'),
    ),
    ...[...catalog.sharedTools.values()].flat(),
  ]
  return [
    ...owned,
    ...rest.filter(({ hash }) => !known.has(hash)).map((tool) => ({ tool, owner: null })),
  ]
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}

function withoutName<T extends { readonly name: string }>({ name: _name, ...rest }: T) {
  return rest
}

function toName(one: { readonly name: string } | string): string {
  return typeof one === 'string' ? one : one.name
}
