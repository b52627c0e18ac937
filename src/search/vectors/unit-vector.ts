/** A vector of length 1 in the same direction; one of length 0 stays as it is. */
export function unitVector(vector: Float32Array): Float32Array {
  // The largest number first, so that no square overflows.
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return vector
  let sum = 0
  for (const value of vector) sum += (value / largest) ** 2
  const length = Math.sqrt(sum)
  return vector.map((value) => value / largest / length)
}
