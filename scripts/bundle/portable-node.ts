import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type * as Hooks from 'node:async_hooks'
import type * as Crypto from 'node:crypto'
import type * as Util from 'node:util'

/**
 * The parts of Node that the core uses, in its published files: those of the runtime where it has them, and others in a
 * browser and in edge runtimes.
 */
function builtIn<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  return process?.getBuiltinModule?.(`node:${name}`) as Module | undefined
}

type Encoding = 'base64url' | 'hex'

/** A SHA-256, the only hash that the core has. */
class PortableHash {
  readonly #state: ReturnType<typeof sha256.create>

  constructor(state = sha256.create()) {
    this.#state = state
  }

  update(data: string | Uint8Array): this {
    this.#state.update(typeof data === 'string' ? new TextEncoder().encode(data) : data)
    return this
  }

  copy(): PortableHash {
    return new PortableHash(this.#state.clone())
  }

  digest(encoding: Encoding): string {
    const bytes = this.#state.digest()
    if (encoding === 'hex') return bytesToHex(bytes)
    const base64 = btoa(String.fromCharCode(...bytes))
    return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
}

const nodeCrypto = builtIn<typeof Crypto>('crypto')

export const createHash = (nodeCrypto?.createHash ??
  (() => new PortableHash())) as typeof Crypto.createHash

export const hash = (nodeCrypto?.hash ??
  ((_algorithm: string, data: string | Uint8Array, encoding: Encoding) =>
    new PortableHash().update(data).digest(encoding))) as typeof Crypto.hash

/** Follows code to its first `await`, where the runtime follows none further. */
class SyncScope<Store> {
  #store: Store | undefined

  run<Result>(store: Store, work: () => Result): Result {
    const before = this.#store
    this.#store = store
    try {
      return work()
    } finally {
      this.#store = before
    }
  }

  getStore(): Store | undefined {
    return this.#store
  }

  static snapshot() {
    return <Result>(work: () => Result): Result => work()
  }
}

export const AsyncLocalStorage = (builtIn<typeof Hooks>('async_hooks')?.AsyncLocalStorage ??
  SyncScope) as typeof Hooks.AsyncLocalStorage

const is =
  (type: abstract new (...given: never) => unknown) =>
  (value: unknown): boolean =>
    value instanceof type

/** Only Node recognises a proxy, and values from another context. */
export const types = (builtIn<typeof Util>('util')?.types ?? {
  isProxy: () => false,
  isNativeError: is(Error),
  isMap: is(Map),
  isSet: is(Set),
  isDate: is(Date),
  isPromise: is(Promise),
  isAnyArrayBuffer: is(ArrayBuffer),
  isUint8Array: is(Uint8Array),
  isGeneratorObject: (value: unknown) =>
    Object.prototype.toString.call(value) === '[object Generator]',
}) as typeof Util.types
