import { types } from 'node:util'
import { byteLength } from '../../../kernel/byte-length.ts'
import { isPlain, type JsonValue, withUniqueNames } from '../../../kernel/json-value.ts'
import { pointerToken } from '../../../schema/interpreter/subschemas.ts'
import { shorten, thrownMessage } from '../../../kernel/thrown-message.ts'

/** A value as plain data, or where and why it cannot be. */
export type JsonResult = JsonCopy | JsonRefusal

interface JsonCopy {
  readonly ok: true
  readonly value: JsonValue
  /** Bytes of JSON text, with those that were counted before. */
  readonly bytes: number
  /** The places in lists where undefined became null: how many, and the first. Absent if there are none. */
  readonly nulls?: { readonly count: number; readonly path: string }
}

export interface JsonRefusal {
  readonly ok: false
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string
  /** Continues a sentence about the value: `holds a bigint, …`. */
  readonly message: string
  readonly hint: string
  /** True for a value that has more bytes than it may have. */
  readonly isTooLarge?: true
}

/** Levels of objects and arrays. */
const MAX_DEPTH = 100

/** Thrown to end a walk; the reason is in `Walk.refusal`. A constant, since comparing it runs no code. */
const STOP = Symbol('stop')

/** The limits of a copy. */
export interface JsonLimits {
  /** Bytes of JSON text. */
  readonly maxBytes: number
  /** Bytes that count and were copied before; 0 when absent. */
  readonly bytes?: number
  /** True to copy what JSON cannot carry as `JSON.stringify` does: a `Map` is `{}`, and NaN is null. */
  readonly isLenient?: boolean
  /** With `isLenient`, true to replace binary data by its size. */
  readonly describesBinary?: boolean
}

interface Walk extends JsonLimits {
  /** Bytes of JSON text so far. */
  bytes: number
  readonly path: string[]
  /** The objects the walk is inside of. */
  readonly inside: Set<object>
  refusal: JsonRefusal | null
  nulls: JsonCopy['nulls']
}

/**
 * Copies a value of unknown origin into plain JSON data.
 *
 * Unless it is lenient, strict where `JSON.stringify` is silent: functions, symbols, bigints, NaN, invalid dates, cycles, Maps,
 * streams, promises and objects whose contents are not properties (a `Response`) are refused by path, not
 * dropped. Elsewhere as lenient as it: `toJSON` is called, undefined members are left out. In a list,
 * undefined and holes become null, and the result says where. Half of a surrogate pair becomes U+FFFD, in names
 * of members, too. Every property is read at most once. `maxBytes` counts the UTF-8 of the JSON text, while walking, so a value that is
 * far too large is refused before it is copied. Never throws.
 */
export function jsonResult(value: unknown, limits: JsonLimits): JsonResult {
  const walk: Walk = {
    ...limits,
    bytes: limits.bytes ?? 0,
    path: [],
    inside: new Set(),
    refusal: null,
    nulls: undefined,
  }
  try {
    const copy = visitOrNull(walk, value)
    return { ok: true, value: copy, bytes: walk.bytes, ...(walk.nulls && { nulls: walk.nulls }) }
  } catch (thrown) {
    if (thrown === STOP && walk.refusal !== null) return walk.refusal
    throw thrown
  }
}

/** Copies a value, with null for undefined, where nothing can be left out. */
function visitOrNull(walk: Walk, value: unknown): JsonValue {
  const copy = visit(walk, value)
  return copy === undefined ? spent(walk, 4, null) : copy
}

/** Copies a value; undefined means: leave it out. */
function visit(walk: Walk, value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'boolean':
      return spent(walk, value ? 4 : 5, value)
    case 'number':
      if (!Number.isFinite(value)) {
        return walk.isLenient ? spent(walk, 4, null) : refuseKind(walk, notFinite(value))
      }
      return spent(walk, String(value).length, value === 0 ? 0 : value)
    case 'string': {
      const text = value.toWellFormed()
      return spent(walk, textBytes(walk, text), text)
    }
    case 'bigint':
      return refuseKind(walk, { what: 'a bigint', hint: 'Return it as text: String(value).' })
    case 'function':
      if (walk.isLenient) return undefined
      return refuseKind(walk, { what: 'a function', hint: 'Return data only.' })
    case 'symbol':
      if (walk.isLenient) return undefined
      return refuseKind(walk, { what: 'a symbol', hint: 'Return its description as text.' })
    case 'object':
      return value === null ? spent(walk, 4, null) : visitObject(walk, value)
  }
}

function visitObject(walk: Walk, value: object): JsonValue | undefined {
  if (walk.inside.has(value)) {
    return refuseKind(walk, { what: 'a cycle', hint: 'Return ids instead of references back.' })
  }
  if (walk.inside.size === MAX_DEPTH) {
    return refuse(walk, `is more than ${MAX_DEPTH} levels deep`, 'Return a flatter value.')
  }
  walk.inside.add(value)
  try {
    return copyObject(walk, value)
  } catch (thrown) {
    if (thrown === STOP) throw thrown
    const message = `cannot be read, since a property threw: ${thrownMessage(thrown)}`
    return refuse(walk, message, 'Return plain objects and arrays.')
  } finally {
    walk.inside.delete(value)
  }
}

function copyObject(walk: Walk, value: object): JsonValue | undefined {
  if (walk.isLenient && isBinary(value)) {
    if (walk.describesBinary) return visit(walk, `(${value.byteLength} bytes)`)
    // The shortest byte has two characters, with its comma.
    if (2 * value.byteLength > walk.maxBytes - walk.bytes) return tooLarge(walk)
  }
  const toJson: unknown = Reflect.get(value, 'toJSON')
  const unfit = walk.isLenient ? undefined : nonJsonKind(value, typeof toJson === 'function')
  if (unfit !== undefined) return refuseKind(walk, unfit)
  if (typeof toJson === 'function') {
    return visit(walk, Reflect.apply(toJson, value, [walk.path.at(-1) ?? '']))
  }
  return Array.isArray(value) ? copyArray(walk, value) : copyMembers(walk, value)
}

function copyArray(walk: Walk, items: readonly unknown[]): JsonValue {
  const { length } = items
  const copy: JsonValue[] = []
  spend(walk, length > 1 ? length + 1 : 2)
  if (length > walk.maxBytes - walk.bytes) return tooLarge(walk)
  for (let index = 0; index < length; index++) {
    walk.path.push(String(index))
    const item = visit(walk, items[index])
    if (item === undefined) {
      spend(walk, 4)
      walk.nulls = { path: walk.nulls?.path ?? pathOf(walk), count: (walk.nulls?.count ?? 0) + 1 }
    }
    copy.push(item ?? null)
    walk.path.pop()
  }
  return copy
}

function copyMembers(walk: Walk, value: object): JsonValue {
  const copy: [string, JsonValue][] = []
  let isSame = true
  spend(walk, 2)
  for (const key of Object.keys(value)) {
    walk.path.push(key)
    const member = visit(walk, Reflect.get(value, key))
    if (member !== undefined) {
      const name = key.toWellFormed()
      isSame &&= name === key
      spend(walk, textBytes(walk, name) + (copy.length === 0 ? 1 : 2))
      copy.push([name, member])
    }
    walk.path.pop()
  }
  // Unlike an assignment, it gives a key named `__proto__` its value.
  return Object.fromEntries(isSame ? copy : withUniqueNames(copy))
}

/** Returns the bytes of a text as JSON. Text that is too long is never encoded. */
function textBytes(walk: Walk, text: string): number {
  return text.length > walk.maxBytes - walk.bytes
    ? tooLarge(walk)
    : byteLength(JSON.stringify(text))
}

function spent<T>(walk: Walk, bytes: number, value: T): T {
  spend(walk, bytes)
  return value
}

function spend(walk: Walk, bytes: number): void {
  walk.bytes += bytes
  if (walk.bytes > walk.maxBytes) tooLarge(walk)
}

function tooLarge(walk: Walk): never {
  walk.path.length = 0
  const message = `is larger than ${walk.maxBytes} bytes of JSON`
  const hint = 'Return less: a page, a summary, or a reference to where the rest is.'
  walk.refusal = { ok: false, path: '', message, hint, isTooLarge: true }
  throw STOP
}

function notFinite(value: number): NonJsonKind {
  return { what: `the number ${value}`, hint: 'Return null where there is no number.' }
}

function refuseKind(walk: Walk, { what, hint }: NonJsonKind): never {
  return refuse(walk, `holds ${what}, which JSON cannot carry`, hint)
}

function refuse(walk: Walk, message: string, hint: string): never {
  walk.refusal = { ok: false, path: pathOf(walk), message, hint }
  throw STOP
}

function pathOf(walk: Walk): string {
  return shorten(walk.path.map((key) => `/${pointerToken(key)}`).join(''))
}

/** The kind of an object that is not data, and what to return instead. */
interface NonJsonKind {
  readonly what: string
  readonly hint: string
}

/**
 * Recognises objects that would silently turn into `{}`, or worse, if they were copied as data. A `toJSON`
 * is trusted to give data, except for binary data and dates.
 */
function nonJsonKind(value: object, hasToJson: boolean): NonJsonKind | undefined {
  if (types.isDate(value) && Number.isNaN(value.getTime())) {
    return { what: 'an invalid date', hint: 'Return null where there is no date.' }
  }
  if (isBinary(value)) {
    return {
      what: 'binary data',
      hint: 'Return it as a part: succeed(data, { content: [{ type, mediaType, data }] }).',
    }
  }
  if (hasToJson || Array.isArray(value)) return undefined
  if (types.isPromise(value)) {
    return {
      what: 'a promise',
      hint: 'Await it, or all of them with Promise.all, before returning.',
    }
  }
  if (types.isMap(value)) {
    return { what: 'a Map', hint: 'Return Object.fromEntries(map), or a list of its entries.' }
  }
  if (types.isSet(value)) return { what: 'a Set', hint: 'Return a list: [...set].' }
  if (types.isGeneratorObject(value) || hasIterator(value, Symbol.asyncIterator)) {
    return {
      what: 'a generator or stream',
      hint: 'Only a handler itself streams, as an async generator; collect the items into a list.',
    }
  }
  if (hasIterator(value, Symbol.iterator)) {
    return { what: 'an iterable that is not an array', hint: 'Return a list: [...items].' }
  }
  if (types.isNativeError(value)) {
    return { what: 'an Error', hint: 'Throw it to fail, or return its message as text.' }
  }
  if (!isPlain(value) && Object.keys(value).length === 0) {
    return {
      what: `${nameOfClass(value)} without properties`,
      hint: 'Return its contents as data, such as await response.json().',
    }
  }
  return undefined
}

function isBinary(value: object): value is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)
}

function nameOfClass(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor')
  const name = typeof made === 'function' ? made.name : ''
  return name === '' ? 'an object of a class' : `an object of the class ${shorten(name)}`
}

function hasIterator(value: object, key: symbol): boolean {
  return typeof Reflect.get(value, key) === 'function'
}
