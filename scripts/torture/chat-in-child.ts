import { main } from '../../src/workbench/cli/main.ts'

// A process of its own: `loadout` with the arguments.
process.exitCode = await main(process.argv.slice(2))
