/** Numbers in a larger array, which is given. */
export function enlarged<Numbers extends Uint8Array | Uint32Array | Float64Array>(
  from: Numbers,
  into: Numbers,
): Numbers {
  into.set(from)
  return into
}
