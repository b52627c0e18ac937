import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { main as Main } from '../../src/workbench/cli/main.ts'
import {
  legalPairs,
  PRICED_PROJECT,
  priceSession,
} from '../../tests/workbench/cli/priced-sessions.ts'
import { runCommand } from '../../tests/workbench/cli/run-command.ts'
import { writeTree } from '../../tests/workbench/project/temporary-folder.ts'
import { PROJECT } from '../run-command.ts'
import { createDice } from '../torture/torture-part.ts'
import type { WirePart } from './wire-part.ts'

/** Compares the prices of commands and of the playground with the cost of the step that a host then begins. */
export const pricesEverywhere: WirePart = {
  name: 'prices',
  claim:
    'Every command and screen that shows the price of the next request shows the cost that the step of the host then has, for every pair of a provider and a strategy that it takes.',
  columns: ['provider', 'exposure', 'sessions', 'surfaces', 'different'],
  async run({ sessions, seed }) {
    const rows: (string | number)[][] = []
    const failures: string[] = []
    const screen = await builtCommand()
    const cwd = await mkdtemp(join(tmpdir(), 'loadout-prices-'))
    try {
      await writeTree(cwd, PRICED_PROJECT)
      for (const pair of await legalPairs(cwd)) {
        let [surfaces, different] = [0, 0]
        for (let session = 0; session < sessions; session += 1) {
          const result = await priceSession(cwd, pair, randomNumbers(seed + session), screen)
          surfaces += result.surfaces
          different += result.failures.length
          failures.push(...result.failures.map((one) => `seed ${seed + session}: ${one}`))
        }
        rows.push([pair.provider, pair.exposure, sessions, surfaces, different])
      }
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
    return { rows, failures }
  },
}

/** Returns the built command, whose screen is joined into its files, to run in this process. */
async function builtCommand() {
  const built = join(PROJECT, 'dist', 'cli', 'main.js')
  const { main } = (await import(built)) as { readonly main: typeof Main }
  return (argv: readonly string[], { cwd }: { readonly cwd: string }) =>
    runCommand(argv, { cwd }, main)
}

/** Returns 1 to 20 numbers between 0 and 1 that follow from a seed. */
function randomNumbers(seed: number): readonly number[] {
  const dice = createDice(seed)
  return Array.from({ length: 1 + dice(20) }, () => dice(1e6) / 1e6)
}
