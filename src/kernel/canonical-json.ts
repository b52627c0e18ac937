import { isPlain } from './json-value.ts'
import { WorkspaceError } from './workspace-error.ts'

/**
 * Writes a value as JSON with sorted keys and no spaces, so that equal values give equal text.
 *
 * Keys are sorted by UTF-16 code unit, as in RFC 8785. `undefined` members are left out.
 * Throws `NOT_JSON` for a value that JSON cannot carry (functions, symbols, bigints, cycles, NaN,
 * maps, dates and other instances of classes) or that is nested more than a thousand levels deep.
 */
export function canonicalJson(value: unknown): string {
  return write(value, [])
}

/** Levels. Deeper data is not written by people, and would overflow the stack. */
const DEEPEST = 1_000

function write(value: unknown, path: readonly object[]): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson(`the number ${value}`)
    return JSON.stringify(value)
  }
  if (typeof value !== 'object') throw notJson(`a ${typeof value}`)
  if (path.includes(value)) throw notJson('a cycle')
  if (!Array.isArray(value) && !isPlain(value)) throw notJson('an object of a class')
  if (path.length >= DEEPEST) throw notJson(`more than ${DEEPEST} levels`)
  const inside = [...path, value]
  const written: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) written.push(item === undefined ? 'null' : write(item, inside))
    return `[${written.join(',')}]`
  }
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key)
    if (member !== undefined) written.push(`${JSON.stringify(key)}:${write(member, inside)}`)
  }
  return `{${written.join(',')}}`
}

function notJson(what: string): WorkspaceError {
  return new WorkspaceError('NOT_JSON', `JSON cannot carry ${what}.`, {
    hint: 'Use plain objects, arrays, strings, finite numbers, booleans and null.',
  })
}
