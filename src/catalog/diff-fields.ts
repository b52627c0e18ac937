import { structuredPatch } from 'diff'
import type { Catalog } from './create/catalog.ts'
import { canonicalJson } from '../kernel/canonical-json.ts'
import { isObject } from '../kernel/json-value.ts'
import { byName } from '../kernel/nearest-names.ts'
import { storedSkill, UNRECORDED_MEMBERS } from '../skills/definition/define-skill.ts'
import type { SkillRecord } from '../skills/definition/skill-record.ts'
import type { Skill } from '../skills/definition/skill.ts'
import { pointerToken } from '../schema/interpreter/subschemas.ts'
import { toolDefinition } from '../tools/definition/make-tool.ts'
import type { Tool } from '../tools/definition/tool.ts'

/** A change of one field of a definition. */
export type FieldChange =
  /** A text of several lines, with its differences as hunks of a unified diff. */
  | { readonly field: string; readonly what: 'text'; readonly diff: string }
  /** A schema or another object. */
  | { readonly field: string; readonly what: 'parts'; readonly parts: readonly JsonChange[] }
  | {
      readonly field: string
      readonly what: 'value'
      readonly before?: unknown
      readonly after?: unknown
    }
  /** Members by name: the tools or files of a skill. */
  | {
      readonly field: string
      readonly what: 'members'
      readonly added: readonly string[]
      readonly removed: readonly string[]
      readonly changed: readonly string[]
    }

/** A value inside JSON that differs. `before` and `after` are absent if there was no value. */
export interface JsonChange {
  /** A JSON Pointer; empty for the value itself. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** A definition that differs between two catalogs. */
export interface DefinitionChange {
  readonly kind: 'skill' | 'tool' | 'toolset' | 'agent' | 'rules'
  /** `skill/tool` for a tool of a skill; with `@version` for one of several versions. */
  readonly name: string
  readonly what: 'added' | 'removed' | 'changed'
  /** Empty unless `what` is `changed`. */
  readonly fields: readonly FieldChange[]
}

/** The fields of a definition for comparison. Lists of definitions are maps from name to hash. */
type ComparedFields = Readonly<Record<string, unknown>>

/** A definition as its hash, with its fields on demand. */
interface Compared {
  readonly hash: string
  fields(): ComparedFields
}

/** Returns every definition that differs between two catalogs, by kind and in order of names. */
export function diffCatalogs(before: Catalog, after: Catalog): readonly DefinitionChange[] {
  const compare = (
    kind: DefinitionChange['kind'],
    compared: (catalog: Catalog) => ReadonlyMap<string, Compared>,
  ) => {
    const [earlier, later] = [compared(before), compared(after)]
    const names = new Set([...earlier.keys(), ...later.keys()])
    return [...names].sort(byName).flatMap((name): DefinitionChange[] => {
      const [old, now] = [earlier.get(name), later.get(name)]
      if (old === undefined) return [{ kind, name, what: 'added', fields: [] }]
      if (now === undefined) return [{ kind, name, what: 'removed', fields: [] }]
      if (old.hash === now.hash) return []
      return [{ kind, name, what: 'changed', fields: diffFields(old.fields(), now.fields()) }]
    })
  }
  return [
    ...compare('skill', ({ skills }) => withFields(skills, skillFields)),
    ...compare('tool', toolsByOwner),
    ...compare('toolset', ({ toolsets }) =>
      withFields(toolsets, (one) => ({ ...plainFields(one), tools: hashesByName(one.tools) })),
    ),
    ...compare('agent', ({ agents }) => withFields(agents, plainFields)),
    ...compare('rules', ({ rules }) => withFields(rules, plainFields)),
  ]
}

function withFields<T extends { readonly hash: string }>(
  definitions: ReadonlyMap<string, T>,
  fields: (definition: T) => ComparedFields,
): ReadonlyMap<string, Compared> {
  return new Map(
    Array.from(definitions, ([name, one]) => [name, { hash: one.hash, fields: () => fields(one) }]),
  )
}

/** Returns tools by owner: `owner/tool` for those of a skill or toolset, name and version for shared ones. */
function toolsByOwner(catalog: Catalog): ReadonlyMap<string, Compared> {
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

/** Compares two definitions field by field, in order of names. */
export function diffFields(before: ComparedFields, after: ComparedFields): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].sort(byName).flatMap((field) => {
    const change = fieldChange(field, before[field], after[field])
    return change === null ? [] : [change]
  })
}

function fieldChange(field: string, before: unknown, after: unknown): FieldChange | null {
  if (before instanceof Map && after instanceof Map) return memberChange(field, before, after)
  if (before === after || written(before) === written(after)) return null
  const isText = typeof before === 'string' && typeof after === 'string'
  if (isText && (before.includes('\n') || after.includes('\n'))) {
    return { field, what: 'text', diff: unifiedDiff(before, after) }
  }
  if (isObject(before) && isObject(after)) {
    return { field, what: 'parts', parts: jsonChanges(before, after) }
  }
  return {
    field,
    what: 'value',
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

function memberChange(
  field: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): FieldChange | null {
  const added = [...after.keys()].filter((name) => !before.has(name))
  const removed = [...before.keys()].filter((name) => !after.has(name))
  const changed = [...after]
    .filter(([name, hash]) => before.has(name) && before.get(name) !== hash)
    .map(([name]) => name)
  if (added.length + removed.length + changed.length === 0) return null
  return { field, what: 'members', added, removed, changed }
}

function written(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value)
}

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3

/** Changed lines. A text with more counts as replaced, which bounds the work on huge texts. */
const MAX_EDITS = 2_000

/** Returns the hunks of a unified diff, without file names. */
export function unifiedDiff(before: string, after: string): string {
  // A parser may have trimmed the last line break of a text. That is not a difference.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n'
  const patch = structuredPatch('', '', before + end, after + end, '', '', {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  })
  if (patch === undefined) {
    const [old, now] = [before.split('\n').length, after.split('\n').length]
    return `@@ -1,${old} +1,${now} @@\n(replaced completely: too many changes to list)`
  }
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}

/** Levels. Deeper values are compared as one value. */
const MAX_DEPTH = 64

/** Compares two JSON values place by place. The order of keys makes no difference. */
export function jsonChanges(before: unknown, after: unknown): readonly JsonChange[] {
  const changes: JsonChange[] = []
  visit(before, after, '', 0, changes)
  return changes
}

function visit(
  before: unknown,
  after: unknown,
  path: string,
  depth: number,
  changes: JsonChange[],
) {
  if (before === after) return
  if (depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [before, after].map((one) =>
        Object.hasOwn(one, name) ? one[name] : undefined,
      )
      visit(old, now, `${path}/${pointerToken(name)}`, depth + 1, changes)
    }
    return
  }
  if (before !== undefined && after !== undefined) {
    if (canonicalJson(before) === canonicalJson(after)) return
    const isLists = Array.isArray(before) && Array.isArray(after) && before.length === after.length
    if (isLists && depth < MAX_DEPTH && before.some((item) => typeof item === 'object')) {
      before.forEach((item, index) =>
        visit(item, after[index], `${path}/${index}`, depth + 1, changes),
      )
      return
    }
  }
  changes.push({
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  })
}

/** Returns the fields of a skill, from a catalog or a log, for comparison. */
export function skillFields(skill: Skill | SkillRecord): ComparedFields {
  const { workDirection: instructions, ...fields } = plainFields(storedSkill(skill))
  return {
    ...fields,
    instructions,
    tools: hashesByName(skill.tools),
    toolsets: hashesByName(skill.toolsets),
    files: new Map(
      skill.files.map(({ path, hash, description = '' }) => [path, hash + description]),
    ),
  }
}

/** Returns the members of a definition except its hash and code. */
function plainFields(definition: object): ComparedFields {
  const members = Object.entries(definition)
  return Object.fromEntries(
    members.filter(([name]) => name !== 'hash' && !UNRECORDED_MEMBERS.has(name)),
  )
}

/** Maps the definitions inside another one to their hashes. A definition given by name has no hash. */
function hashesByName(
  members: readonly (string | { readonly name: string; readonly hash: string })[],
): ReadonlyMap<string, string> {
  return new Map(members.map((one) => (typeof one === 'string' ? [one, ''] : [one.name, one.hash])))
}
