import { canonicalJson } from '../kernel/canonical-json.ts'
import { byName } from '../kernel/by-name.ts'
import type { FieldChange } from './definition-change.ts'
import { jsonChanges } from './json-changes.ts'
import { unifiedDiff } from './unified-diff.ts'

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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function written(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value)
}
