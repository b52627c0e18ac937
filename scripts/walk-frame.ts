import { runCommand } from './run-command.ts'

/** What docs/playground.md shows: the workbench as its agent, on a small terminal. */
const COMMAND =
  'examples/workbench --trust --agent assistant --columns 80 --rows 20 --snapshot text'

/** The frame after some keys, such as `2 / q`, as the built command prints it. */
export async function walkFrame(keys: string): Promise<string> {
  const args = ['bin/loadout.js', 'play', ...COMMAND.split(' '), '--keys', keys]
  const { passed, stdout, output } = runCommand('node', args)
  if (!passed) throw new Error(output)
  return stdout
}
