import { importModule } from '../../../../src/workbench/project/trust/import-module.ts'

// A process of its own, in which Node imports modules and not the test runner: imports a module of a trusted
// folder, and prints the outcome, and whether a module set `globalThis.ran`.
const [folder = '', path = ''] = process.argv.slice(2)

const outcome = await importModule(folder, path)

process.stdout.write(JSON.stringify({ outcome, ran: 'ran' in globalThis }))
