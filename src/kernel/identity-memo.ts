/** Returns the cached value for some objects and a text, or makes it. */
export type IdentityMemo<T> = (objects: readonly object[], text: string, make: () => T) => T

interface Node<T> {
  values?: Map<string, T>
  next?: WeakMap<object, Node<T>>
}

/** Cached values for the same objects. More drop the oldest, so texts with times do not fill the memory. */
const MAX_TEXTS = 16

/**
 * Creates a cache keyed by the identity of objects and a text, such as options that affect the value. A
 * value is garbage-collected together with its objects. Do not use it for combinations of long-lived
 * objects that a session chooses, because there are too many.
 */
export function identityMemo<T>(): IdentityMemo<T> {
  const root: Node<T> = {}
  return (objects, text, make) => {
    let node = root
    for (const object of objects) {
      node.next ??= new WeakMap()
      const known = node.next.get(object) ?? {}
      node.next.set(object, known)
      node = known
    }
    const values = (node.values ??= new Map())
    const kept = values.get(text)
    if (kept !== undefined) return kept
    const made = make()
    const [oldest] = values.keys()
    if (values.size >= MAX_TEXTS && oldest !== undefined) values.delete(oldest)
    values.set(text, made)
    return made
  }
}

/** Returns true for two lists of the same items, by identity. */
export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (const [at, item] of one.entries()) if (item !== other[at]) return false
  return true
}

/**
 * Creates a cache for values made of objects that others may change. A value is made again once a member of its
 * object was replaced, or an item of a list among its members.
 */
export function memberMemo<Item extends object, Value>(
  make: (item: Item) => Value,
): (item: Item) => Value {
  const noted = new WeakMap<Item, { members: readonly unknown[]; value: Value }>()
  return (item) => {
    const before = noted.get(item)
    if (before && hasMembers(item, before.members)) return before.value
    const value = make(item)
    const members: unknown[] = []
    for (const name in item) {
      const member: unknown = item[name]
      members.push(member)
      if (Array.isArray(member)) members.push(member.length, ...(member as readonly unknown[]))
    }
    noted.set(item, { members, value })
    return value
  }
}

/** Allocates nothing: it is called for each message of a history, at each step. */
function hasMembers(item: object, members: readonly unknown[]): boolean {
  let at = 0
  for (const name in item) {
    const value: unknown = item[name as keyof object]
    if (value !== members[at]) return false
    at += 1
    if (!Array.isArray(value)) continue
    if (value.length !== members[at]) return false
    at += 1
    for (const one of value as readonly unknown[]) {
      if (one !== members[at]) return false
      at += 1
    }
  }
  return at === members.length
}
