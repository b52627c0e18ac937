import { structuredPatch } from 'diff'
import { canonicalJson } from '../kernel/canonical-json.ts'
import { isObject } from '../kernel/json-value.ts'
import { byName } from '../kernel/nearest-names.ts'
import { type SkillRecord, UNRECORDED_MEMBERS } from '../skills/definition/skill-record.ts'
import type { Skill } from '../skills/definition/skill.ts'
import { pointerToken } from '../tools/schema/subschemas.ts'

export type DefinitionKind = 'skill' | 'tool' | 'toolset' | 'agent' | 'rules'

/** What changed in one field of a definition. */
export type FieldChange =
  /** A text of several lines. */
  | { readonly field: string; readonly what: 'text'; readonly diff: string }
  /** A schema, or another value with parts. */
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

/** One definition that is not the same in both. */
export interface DefinitionChange {
  readonly kind: DefinitionKind
  /** A tool of a skill is `skill/tool`; one of several versions has `@version`. */
  readonly name: string
  readonly what: 'added' | 'removed' | 'changed'
  /** Empty unless it changed. */
  readonly fields: readonly FieldChange[]
}

/** The fields of a definition as they are compared; lists of definitions as a map to their hashes. */
export type ComparedFields = Readonly<Record<string, unknown>>

/** What changed from one definition to another, field by field, in the order of names. */
export function diffFields(before: ComparedFields, after: ComparedFields): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].sort(byName).flatMap((field) => {
    const change = changeOf(field, before[field], after[field])
    return change === null ? [] : [change]
  })
}

function changeOf(field: string, before: unknown, after: unknown): FieldChange | null {
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

/** The fields of a skill, of a catalog or as a log keeps it, as they are compared. */
export function skillFields(skill: Skill | SkillRecord): ComparedFields {
  return {
    ...plainFields(skill),
    tools: membersOf(skill.tools),
    toolsets: membersOf(skill.toolsets),
    files: new Map(
      skill.files.map(({ path, hash, description = '' }) => [path, hash + description]),
    ),
  }
}

/** The members of a definition that are neither its hash nor code. */
export function plainFields(definition: object): ComparedFields {
  const members = Object.entries(definition)
  return Object.fromEntries(
    members.filter(([name]) => name !== 'hash' && !UNRECORDED_MEMBERS.has(name)),
  )
}

/** Definitions inside another one, by name; a shared one by nothing else. */
export function membersOf(
  members: readonly (string | { readonly name: string; readonly hash: string })[],
): ReadonlyMap<string, string> {
  return new Map(members.map((one) => (typeof one === 'string' ? [one, ''] : [one.name, one.hash])))
}

/** One value inside JSON that is not the same in both; absent where it is not there. */
export interface JsonChange {
  /** JSON Pointer; `` is the whole. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** How deep differences are told apart; below it a value is told as a whole. */
const DEEPEST = 64

/** What changed from one JSON value to another, by place; the order of keys is no change. */
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
  if (depth < DEEPEST && isObject(before) && isObject(after)) {
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
    if (isLists && depth < DEEPEST && before.some((item) => typeof item === 'object')) {
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

/** Lines around a change. */
const CONTEXT = 3

/** Changed lines beyond which a text counts as replaced: bounds the work on huge ones. */
const MOST_EDITS = 2_000

/**
 * How one text became another, as hunks of a unified diff without the names of files. Empty for equal
 * texts.
 */
function unifiedDiff(before: string, after: string): string {
  if (before === after) return ''
  // A text that a parser trimmed has no last line break: no difference, and not worth a word.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n'
  const patch = structuredPatch('', '', before + end, after + end, '', '', {
    context: CONTEXT,
    maxEditLength: MOST_EDITS,
  })
  if (patch === undefined) return replaced(before, after)
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}

function replaced(before: string, after: string): string {
  const [old, now] = [before.split('\n').length, after.split('\n').length]
  return `@@ -1,${old} +1,${now} @@\n(all of it: too much changed to tell line by line)`
}
