/** Lists of numbers in one flat array, which grow and shrink in place. */
interface BlockPool {
  /** The array; a list begins at its `start`. It is replaced when the pool grows. */
  readonly data: Uint32Array
  start(list: number): number
  length(list: number): number
  /** Inserts a number into an ascending list. */
  insert(list: number, value: number): void
  /** Appends a number to a list. */
  push(list: number, value: number): void
  /** Reserves room for so many numbers in an empty list. */
  reserve(list: number, length: number): void
  /** Removes the number at an index of a list. */
  removeAt(list: number, index: number): void
  /** Empties a list and frees its room. */
  clear(list: number): void
  /** Returns the first index in an ascending list whose number is at least `value`. */
  lowerBound(list: number, value: number): number
}

/** Creates a pool. Lists have room for 2, 4, 8, … numbers; freed rooms are reused. */
export function createBlockPool(): BlockPool {
  let data = new Uint32Array(1024)
  let used = 0
  let starts = new Uint32Array(256)
  let lengths = new Uint32Array(256)
  let rooms = new Uint8Array(256)
  /** The starts of free rooms, by the exponent of their size. */
  const free: number[][] = Array.from({ length: 32 }, () => [])

  const takeRoom = (exponent: number): number => {
    const again = free[exponent]?.pop()
    if (again !== undefined) return again
    const start = used
    used += 1 << exponent
    if (used > data.length) {
      data = enlarged(data, new Uint32Array(Math.max(used, Math.ceil(data.length * 1.5))))
    }
    return start
  }

  const moveTo = (list: number, wanted: number): void => {
    if (list >= starts.length) {
      const size = Math.max(list + 1, Math.ceil(starts.length * 1.5))
      starts = enlarged(starts, new Uint32Array(size))
      lengths = enlarged(lengths, new Uint32Array(size))
      rooms = enlarged(rooms, new Uint8Array(size))
    }
    const exponent = rooms[list] ?? 0
    const length = lengths[list] ?? 0
    const start = takeRoom(wanted)
    const old = starts[list] ?? 0
    for (let at = 0; at < length; at += 1) data[start + at] = data[old + at] ?? 0
    if (exponent > 0) free[exponent]?.push(old)
    starts[list] = start
    rooms[list] = wanted
  }

  const lowerBound = (list: number, value: number): number => {
    const start = starts[list] ?? 0
    let low = 0
    let high = lengths[list] ?? 0
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((data[start + middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    return low
  }

  const push = (list: number, value: number): void => {
    const exponent = rooms[list] ?? 0
    const length = lengths[list] ?? 0
    // A shift, because `2 ** exponent` is computed in floating point.
    if (exponent === 0 || length === 1 << exponent) moveTo(list, exponent + 1)
    data[(starts[list] ?? 0) + length] = value
    lengths[list] = length + 1
  }

  return {
    get data() {
      return data
    },
    start: (list) => starts[list] ?? 0,
    length: (list) => lengths[list] ?? 0,
    lowerBound,
    push,
    reserve(list, length) {
      const exponent = 32 - Math.clz32(Math.max(1, length - 1))
      if ((rooms[list] ?? 0) < exponent) moveTo(list, exponent)
    },
    insert(list, value) {
      const length = lengths[list] ?? 0
      const last = data[(starts[list] ?? 0) + length - 1] ?? 0
      const at = length === 0 || last < value ? length : lowerBound(list, value)
      push(list, value)
      if (at === length) return
      const start = starts[list] ?? 0
      data.copyWithin(start + at + 1, start + at, start + length)
      data[start + at] = value
    },
    removeAt(list, index) {
      const start = starts[list] ?? 0
      const length = lengths[list] ?? 0
      data.copyWithin(start + index, start + index + 1, start + length)
      lengths[list] = length - 1
    },
    clear(list) {
      const exponent = rooms[list] ?? 0
      if (exponent > 0) free[exponent]?.push(starts[list] ?? 0)
      rooms[list] = 0
      lengths[list] = 0
    },
  }
}

/** Copies numbers into a larger array and returns it. */
export function enlarged<Numbers extends Uint8Array | Uint32Array | Float64Array>(
  from: Numbers,
  into: Numbers,
): Numbers {
  into.set(from)
  return into
}
