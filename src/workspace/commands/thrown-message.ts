/** How many errors of an AggregateError are named. */
const INNER_ERRORS = 5

/**
 * Whatever was thrown, in words. Total: getters that throw, proxies and revoked proxies
 * have words too.
 */
export function thrownMessage(thrown: unknown): string {
  switch (typeof thrown) {
    case 'string':
      return thrown === '' ? 'an empty string' : shorten(thrown)
    case 'function':
      return 'a function'
    case 'object':
      return thrown === null ? 'null' : objectMessage(thrown)
    case 'undefined':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return shorten(String(thrown))
  }
}

function objectMessage(thrown: object): string {
  const own = [text(thrown, 'message'), text(thrown, 'name')].find((words) => words !== '')
  const inner = innerMessages(thrown)
  if (inner.length === 0) return own ?? 'an object without a message'
  return shorten(`${own ?? 'several errors'} (${inner.join('; ')})`)
}

function innerMessages(thrown: object): readonly string[] {
  const errors = tryOrUndefined(() => {
    const inner: unknown = Reflect.get(thrown, 'errors')
    return Array.isArray(inner) ? (inner.slice(0, INNER_ERRORS) as readonly unknown[]) : []
  })
  return (errors ?? []).map((error) =>
    typeof error === 'object' && error !== null ? text(error, 'message') : thrownMessage(error),
  )
}

function text(thrown: object, key: 'message' | 'name'): string {
  const value: unknown = tryOrUndefined(() => Reflect.get(thrown, key))
  return typeof value === 'string' ? shorten(value) : ''
}

const MAX_TEXT_LENGTH = 2000

/** Text of a handler as an envelope carries it: at most 2,000 characters, never half a surrogate pair. */
export function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…`
}

/** What `read` gives, or undefined when it throws: for values that may fight being looked at. */
export function tryOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
