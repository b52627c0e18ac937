import { tryOrUndefined } from './thrown-message.ts'

/** Anything JSON can carry. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON Schema of draft 2020-12, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns true for an object that is neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true for an object or a list: a value whose members can be read by name. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns true for an object without a class, from any realm: `{}`, a list, or one without a prototype. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Numbers names that a change made equal, so that no member is lost. */
export function withUniqueNames<Member>(
  members: readonly (readonly [string, Member])[],
): readonly (readonly [string, Member])[] {
  const taken = new Set<string>()
  return members.map(([key, member]) => {
    let name = key
    for (let count = 2; taken.has(name); count += 1) name = `${key} ${count}`
    taken.add(name)
    return [name, member]
  })
}

/** Returns an object without the members that are undefined, so that they are absent. */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members) as WithoutUndefined<T>
}

type WithoutUndefined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key]
} & { [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined> }

/** Levels. Deeper data is not written by people, and would overflow the stack. */
const DEEPEST = 1_000

/**
 * Replaces each half of a surrogate pair by U+FFFD, in texts and in names of members: providers refuse a request with
 * one. A value without any is returned itself, not as a copy. Objects of a class are returned unchanged.
 */
export function wellFormed<T>(value: T): T {
  return hasHalf(value, 0) ? (repaired(value, 0) as T) : value
}

/** Allocates little: nearly all data has none. */
function hasHalf(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  if (!hasMembers(value) || depth > DEEPEST) return false
  if (Array.isArray(value)) {
    for (const item of value) if (hasHalf(item, depth + 1)) return true
    return false
  }
  if (!isPlain(value)) return false
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed() || hasHalf(value[key], depth + 1)) return true
  }
  return false
}

function repaired(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (!hasMembers(value) || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((item) => repaired(item, depth + 1))
  if (!isPlain(value)) return value
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key.toWellFormed(),
    repaired(member, depth + 1),
  ])
  return Object.fromEntries(withUniqueNames(members))
}

/** Does the same in a JSON text, which escapes halves of pairs. Text that is no JSON is returned unchanged. */
export function wellFormedJson(text: string): string {
  if (!/\\ud[89a-f]/iu.test(text)) return text
  const value = tryOrUndefined(() => JSON.parse(text) as unknown)
  const fit = wellFormed(value)
  return fit === value ? text : JSON.stringify(fit)
}

/** Freezes plain data at every depth. Functions are not frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}
