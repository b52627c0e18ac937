/**
 * A read-only map that makes each value when it is first asked for, and keeps it. Its keys are known
 * by `index`, which is itself made when first needed: a value that is handed in by `keep` is found
 * without it.
 */
export class LazyMap<K, R, V> implements ReadonlyMap<K, V> {
  readonly #makeIndex: () => ReadonlyMap<K, R>
  readonly #make: (record: R, key: K) => V
  readonly #made = new Map<K, V>()
  #index: ReadonlyMap<K, R> | undefined

  constructor(index: () => ReadonlyMap<K, R>, make: (record: R, key: K) => V) {
    this.#makeIndex = index
    this.#make = make
    Object.freeze(this)
  }

  get size(): number {
    return this.#keys().size
  }

  /** Hand in the value of a key of the index that was made on another way. */
  keep(key: K, value: V): void {
    if (!this.#made.has(key)) this.#made.set(key, value)
  }

  get(key: K): V | undefined {
    const made = this.#made.get(key)
    if (made !== undefined) return made
    const index = this.#keys()
    return index.has(key) ? this.#valueOf(key, index.get(key) as R) : undefined
  }

  has(key: K): boolean {
    return this.#made.has(key) || this.#keys().has(key)
  }

  keys(): MapIterator<K> {
    return this.#keys().keys() as MapIterator<K>
  }

  *values(): MapIterator<V> {
    for (const [key, record] of this.#keys()) yield this.#valueOf(key, record)
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, record] of this.#keys()) yield [key, this.#valueOf(key, record)]
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(tell: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) tell(value, key, this)
  }

  #keys(): ReadonlyMap<K, R> {
    this.#index ??= this.#makeIndex()
    return this.#index
  }

  #valueOf(key: K, record: R): V {
    const made = this.#made.get(key)
    if (made !== undefined) return made
    const value = this.#make(record, key)
    this.#made.set(key, value)
    return value
  }
}
