/**
 * A read-only map that makes each value on first use and keeps it. Its keys come from `index`, which is
 * also made on first use. A value added with `keep` is found without the index.
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

  /** Adds the value of a key of the index, if the value was made elsewhere. */
  keep(key: K, value: V): void {
    if (!this.#made.has(key)) this.#made.set(key, value)
  }

  get(key: K): V | undefined {
    const made = this.#made.get(key)
    if (made !== undefined) return made
    const index = this.#keys()
    return index.has(key) ? this.#value(key, index.get(key) as R) : undefined
  }

  has(key: K): boolean {
    return this.#made.has(key) || this.#keys().has(key)
  }

  keys(): MapIterator<K> {
    return this.#keys().keys() as MapIterator<K>
  }

  *values(): MapIterator<V> {
    for (const [key, record] of this.#keys()) yield this.#value(key, record)
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, record] of this.#keys()) yield [key, this.#value(key, record)]
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this)
  }

  #keys(): ReadonlyMap<K, R> {
    this.#index ??= this.#makeIndex()
    return this.#index
  }

  #value(key: K, record: R): V {
    const made = this.#made.get(key)
    if (made !== undefined) return made
    const value = this.#make(record, key)
    this.#made.set(key, value)
    return value
  }
}
