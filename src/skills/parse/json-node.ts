import type { Place } from './findings.ts'
import type { YamlNode } from './yaml-node.ts'

/** Levels that are looked at: no field of a definition has more. */
const MAX_DEPTH = 16

/**
 * A value out of JSON as a node, all of it standing where its outermost key does. What lies too
 * deep is nothing.
 */
export function jsonNode(value: unknown, place: Place, depth = 0): YamlNode {
  if (depth < MAX_DEPTH && Array.isArray(value)) {
    return { kind: 'list', items: value.map((item) => jsonNode(item, place, depth + 1)), place }
  }
  if (depth < MAX_DEPTH && typeof value === 'object' && value !== null) {
    const entries = new Map(
      Object.entries(value).map(([key, one]) => {
        return [key, { node: jsonNode(one, place, depth + 1), place }] as const
      }),
    )
    return { kind: 'map', entries, place }
  }
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null
  return { kind: 'scalar', text: known === null ? '' : String(known), value: known, place }
}
