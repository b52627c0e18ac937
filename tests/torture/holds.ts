import { expect } from 'vitest'
import type { TorturePart, TortureResult } from '../../scripts/torture/torture-part.ts'

/** A new seed each time. A failure names it, and `TORTURE_SEED` uses it again. */
const seed = Number(process.env['TORTURE_SEED'] ?? Date.now() % 1_000_000)

/** Runs a part of the torture, and expects no failures. */
export async function holds(part: TorturePart, scale: number): Promise<TortureResult> {
  const result = await part.run({ seed, scale, forMs: Number.POSITIVE_INFINITY })
  expect(result.failures, `${part.name} with TORTURE_SEED=${seed}`).toEqual([])
  return result
}
