import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer'

/** The parts of Node that `loadout` uses, for a browser: hashes, random ids, and the place of the running call. */
globalThis.Buffer = Buffer

export function hash(_algorithm, data, encoding) {
  return createHash().update(data).digest(encoding)
}

export function createHash() {
  const state = sha256.create()
  return {
    update(data) {
      state.update(typeof data === 'string' ? new TextEncoder().encode(data) : data)
      return this
    },
    digest: (encoding) => Buffer.from(state.digest()).toString(encoding),
  }
}

export const randomUUID = () => crypto.randomUUID()

export const randomFillSync = (bytes) => crypto.getRandomValues(bytes)

export const timingSafeEqual = (a, b) => a.every((byte, index) => byte === b[index])

const is = (type) => (value) => value instanceof type

/** Only Node can recognise a proxy. */
export const types = {
  isProxy: () => false,
  isNativeError: is(Error),
  isMap: is(Map),
  isSet: is(Set),
  isDate: is(Date),
  isPromise: is(Promise),
  isAnyArrayBuffer: is(ArrayBuffer),
  isUint8Array: is(Uint8Array),
  isGeneratorObject: (value) => Object.prototype.toString.call(value) === '[object Generator]',
}

/** A browser does not follow a call through its promises: calls inside calls are not recognised. */
export class AsyncLocalStorage {
  run(_store, work) {
    return work()
  }
  getStore() {}
}
