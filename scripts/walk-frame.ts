import { join } from 'node:path'
import { PROJECT, runCommand } from './run-command.ts'
import { settledWorkbench } from './settled-workbench.ts'

/** What docs/playground.md shows: the workbench as its agent, on a small terminal. */
const COMMAND = 'workbench --trust --agent assistant --columns 80 --rows 20 --snapshot text'

let folder: string | undefined

/** The frame after some keys, such as `2 / q`, as the built command prints it. */
export async function walkFrame(keys: string): Promise<string> {
  folder ??= settledWorkbench('walk')
  const args = [join(PROJECT, 'bin/loadout.js'), 'play', ...COMMAND.split(' '), '--keys', keys]
  const { passed, stdout, output } = runCommand('node', args, { cwd: folder })
  if (!passed) throw new Error(output)
  return stdout
}
