import { expect } from 'vitest'
import type { TorturePart, TortureResult } from '../../scripts/torture/torture-part.ts'

/** Another one each time; a failure says which, and `TORTURE_SEED` brings it back. */
const seed = Number(process.env['TORTURE_SEED'] ?? Date.now() % 1_000_000)

/** Run a part of it, and expect that nothing failed. */
export async function holds(part: TorturePart, scale: number): Promise<TortureResult> {
  const result = await part.run({ seed, scale, forMs: Number.POSITIVE_INFINITY })
  expect(result.failures, `${part.name} with TORTURE_SEED=${seed}`).toEqual([])
  return result
}
