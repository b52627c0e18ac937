import { canonicalJson } from '../kernel/canonical-json.ts'
import { isSchemaObject, pointerToken } from '../tools/schema/subschemas.ts'

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
  if (depth < DEEPEST && isSchemaObject(before) && isSchemaObject(after)) {
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
