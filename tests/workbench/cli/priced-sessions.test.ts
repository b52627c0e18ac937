import { expect, test } from 'vitest'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { legalPairs, PRICED_PROJECT, priceSession } from './priced-sessions.ts'

const NUMBERS = [0.91, 0.02, 0.84, 0.31, 0.12, 0.72, 0.61, 0.22, 0.99, 0.05]

// `npm run wires -- --only prices` compares all pairs, in many sessions.
test('every surface shows the cost of the step that the host then begins', async () => {
  const cwd = await temporaryFolder(PRICED_PROJECT)
  const pairs = await legalPairs(cwd)
  expect(pairs.length).toBeGreaterThan(20)
  for (const [index, pair] of pairs.entries()) {
    if (index % 3 !== 0) continue
    const numbers = NUMBERS.slice(0, 1 + ((index * 3) % NUMBERS.length))
    const { failures } = await priceSession(cwd, pair, numbers)
    expect(failures).toEqual([])
  }
})
