/** The number of errors of an `AggregateError` that the message includes. */
const INNER_ERRORS = 5

/**
 * Returns a message for any thrown value. It never throws, even for getters that throw and revoked
 * proxies.
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

/** Cuts a text to at most 2,000 characters, without half of a surrogate pair. */
export function shorten(text: string): string {
  const head = text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
  return text.length <= MAX_TEXT_LENGTH ? head : `${head}…`
}

/** Returns the code of an error of the system, such as `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Returns the result of `read`, or undefined when it throws, as a getter or a proxy may. */
export function tryOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
