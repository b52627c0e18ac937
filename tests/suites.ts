/** Every test. A file that neither list below names runs in `npm test`, in a process shared with other files. */
export const TESTS = ['tests/**/*.test.ts', 'examples/**/*.test.ts']

/** Files that need a process of their own, each with the reason. */
export const ISOLATED = [
  // Sets FORCE_COLOR before Ink is loaded: the colours of a process are decided once.
  'tests/render/ink/parts/theme.test.ts',
]

/** Tests that draw with Ink as it is published with the command, as long ones do. Others draw with plain Ink, as an application. */
export const PLAYGROUND = ['tests/workbench/playground/**/*.test.ts']

/** Files that take longer than about five seconds: `npm run test:long` and CI run them, `npm test` does not. */
export const LONG = [
  // Torture: processes and servers are killed, disks filled, and long random lives of sessions compared with a model.
  'tests/torture/**/*.test.ts',
  // Thousands of files and folders on the disk.
  'tests/workbench/project/many-files.test.ts',
  // Many processes that write one log, and writers that are killed.
  'tests/connections/logs/sqlite/several-processes.test.ts',
  // A process for each write of a pruning, which ends there.
  'tests/connections/logs/pruning-cut-short.test.ts',
  'tests/workbench/cli/pruning-cut-short.test.ts',
  // Runs Carnet's own tests, of which some start the command.
  'tests/connections/carnet/own-suites.test.ts',
  // A process for each test: the installed command, a terminal, a database with queries.
  'tests/workbench/cli/bin.test.ts',
  'tests/workbench/cli/live-recording.test.ts',
  'tests/examples/workbench/data-analysis.test.ts',
  'tests/examples/durable.test.ts',
  'tests/workbench/playground/terminal/endings.test.ts',
  'tests/workbench/playground/terminal/first-minute.test.ts',
  // Builds the playground with two Inks, and draws the screens of fifty keys with each.
  'tests/workbench/playground/terminal/same-bytes.test.ts',
  // A hundred drags and a hundred turns of the wheel at each of five sizes.
  'tests/workbench/playground/terminal/many-resizes.test.ts',
  // Random lives of workspaces, with a check of every list and explanation after every command.
  'tests/workspace/properties.test.ts',
  // Runs the conformance suite of the Model Context Protocol for clients, in both revisions.
  'tests/connections/mcp/client/conformance.test.ts',
  // Processes of servers that fail at each stage of ten activations each.
  'tests/connections/mcp/client/activation-faults.test.ts',
  // A thousand edits of the list of a server, and a thousand changes of one definition.
  'tests/workspace/servers/server-laws.test.ts',
  // A conversation for each of two hundred moments at which its process dies.
  'tests/workbench/playground/chat/killed-chats.test.ts',
  // Runs the sessions of twelve workloads over a socket, in each of four ways.
  'tests/connections/wires/wire-sessions/skill-plans.test.ts',
  // Makes hundreds of folders, and reads each as four clients do.
  'tests/connections/clients/profiles.test.ts',
  'tests/connections/clients/reasons.test.ts',
  // Compiles every example of the documents.
  'tests/house/snippets.test.ts',
]

/** Tests of the packed package, installed as a user would: `npm run test:long` and CI run them after packing it once. */
export const PACKED = ['tests/packed/**/*.test.ts']
