import { main } from '../../../../src/workbench/cli/main.ts'

/** The command line in a process of its own. */
process.exitCode = await main(process.argv.slice(2))
