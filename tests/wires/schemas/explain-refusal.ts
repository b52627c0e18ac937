import { isObject, type JsonObject } from '../wire.ts'

/**
 * Returns why a schema refuses a value, by the member of each union that the value comes closest to. The verdict is
 * ajv's, which lists the errors of all members of a union; this one is for people.
 */
export function explainRefusal(schema: JsonObject, value: unknown): readonly string[] {
  return reasonsOf(schema, value, '', schema)
}

function reasonsOf(
  schema: unknown,
  value: unknown,
  path: string,
  root: JsonObject,
): readonly string[] {
  const rule = resolve(schema, root)
  const at = path === '' ? 'the body' : path
  if (Array.isArray(rule.anyOf)) return closest(rule.anyOf, value, path, root)
  if ('const' in rule && rule.const !== value) return [`${at} is not ${show(rule.const)}`]
  if (Array.isArray(rule.enum) && !rule.enum.includes(value)) {
    return [`${at} is ${show(value)}, not one of ${rule.enum.map(show).join(', ')}`]
  }
  if (rule.type !== undefined && ![rule.type].flat().includes(typeOf(value, rule.type))) {
    return [`${at} is ${typeOf(value)}, not ${[rule.type].flat().join(' or ')}`]
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => reasonsOf(rule.items, item, `${path}/${index}`, root))
  }
  return isObject(value) ? membersOf(rule, value, path, root) : []
}

function membersOf(
  { properties, required, additionalProperties }: JsonObject,
  value: JsonObject,
  path: string,
  root: JsonObject,
): readonly string[] {
  const known = isObject(properties) ? properties : {}
  const missing = Array.isArray(required) ? required.filter((name) => !(name in value)) : []
  return [
    ...missing.map((name) => `${path}/${String(name)} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      if (name in known) return reasonsOf(known[name], member, `${path}/${name}`, root)
      return additionalProperties === false ? [`${path}/${name} is not known here`] : []
    }),
  ]
}

function closest(
  members: readonly unknown[],
  value: unknown,
  path: string,
  root: JsonObject,
): readonly string[] {
  const tried = members
    .map((member) => ({
      reasons: reasonsOf(member, value, path, root),
      distance: distance(resolve(member, root), value, root),
    }))
    .sort((a, b) => a.distance - b.distance || a.reasons.length - b.reasons.length)
  return tried[0]?.reasons ?? []
}

/** Returns the distance of a value from a form: another kind of value is furthest, then another `type` or `role`. */
function distance(rule: JsonObject, value: unknown, root: JsonObject): number {
  if (Array.isArray(rule.anyOf)) {
    return Math.min(...rule.anyOf.map((member) => distance(resolve(member, root), value, root)))
  }
  if (rule.type !== undefined && ![rule.type].flat().includes(typeOf(value, rule.type))) return 9
  if (!isObject(value) || !isObject(rule.properties)) return 0
  const { properties } = rule
  return ['type', 'role', 'object'].filter((name) => {
    const label = resolve(properties[name], root)
    if ('const' in label)
      return label.const !== value[name] && (name in value || isRequired(rule, name))
    return Array.isArray(label.enum) && name in value && !label.enum.includes(value[name])
  }).length
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name)
}

function resolve(schema: unknown, root: JsonObject): JsonObject {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref !== 'string' || !isObject(root.definitions)) return schema
  const name = decodeURIComponent(schema.$ref.replace('#/definitions/', ''))
  return resolve(root.definitions[name], root)
}

/** The JSON type of a value; a whole number is an `integer` where one is asked for. */
function typeOf(value: unknown, wanted?: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) && wanted === 'integer' ? 'integer' : typeof value
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
