/** The mean of vectors; of none, zero. */
export function meanVector(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) sums[at] = (sums[at] ?? 0) + value
  }
  return Float32Array.from(sums, (sum) => (vectors.length === 0 ? 0 : sum / vectors.length))
}
