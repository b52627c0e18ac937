import { types } from 'node:util'

/** Why an object is no data, and what to return instead. */
export interface JsonUnfit {
  readonly what: string
  readonly hint: string
}

/**
 * Objects that would turn into `{}`, or worse, without a word if they were walked as data.
 * Their `toJSON`, where they have one (a Buffer does), is not what a tool's reader wants.
 */
export function jsonUnfit(value: object): JsonUnfit | undefined {
  if (types.isPromise(value)) {
    return {
      what: 'a promise',
      hint: 'Await it, or all of them with Promise.all, before returning.',
    }
  }
  if (types.isMap(value) || types.isWeakMap(value)) {
    return { what: 'a Map', hint: 'Return Object.fromEntries(map), or a list of its entries.' }
  }
  if (types.isSet(value) || types.isWeakSet(value)) {
    return { what: 'a Set', hint: 'Return a list: [...set].' }
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return { what: 'binary data', hint: 'Return text, such as base64, or a reference to a file.' }
  }
  if (types.isGeneratorObject(value) || iterator(value, Symbol.asyncIterator)) {
    return {
      what: 'a generator or stream',
      hint: 'Only a handler itself streams, as an async generator; collect the items into a list.',
    }
  }
  return undefined
}

/** The same for objects that only their own `toJSON` makes fit. */
export function jsonUnfitWithoutToJson(value: object): JsonUnfit | undefined {
  if (types.isNativeError(value)) {
    return { what: 'an Error', hint: 'Throw it to fail, or return its message as text.' }
  }
  if (types.isRegExp(value)) {
    return { what: 'a regular expression', hint: 'Return its source as text.' }
  }
  if (types.isBoxedPrimitive(value)) {
    return { what: 'a boxed primitive', hint: 'Return the primitive: value.valueOf().' }
  }
  if (!Array.isArray(value) && iterator(value, Symbol.iterator)) {
    return { what: 'an iterable that is no array', hint: 'Return a list: [...items].' }
  }
  return undefined
}

function iterator(value: object, key: symbol): boolean {
  return typeof Reflect.get(value, key) === 'function'
}
