import { join } from 'node:path'
import { withoutSession } from './frames-of-page.ts'
import { PROJECT, runCommand } from './run-command.ts'
import { settledWorkbench } from './settled-workbench.ts'

const COMMAND = 'workbench --trust --agent assistant --columns 128 --rows 20 --snapshot svg'

/** The prompt's sections folded, then a skill equipped: what came with it stands below. */
const KEYS = '3 z 1 space'

/** The picture of the README, the same on every machine. */
export function takePicture(): string {
  const cwd = settledWorkbench('picture')
  const args = [join(PROJECT, 'bin/loadout.js'), 'play', ...COMMAND.split(' '), '--keys', KEYS]
  const { passed, stdout, output } = runCommand('node', args, { cwd })
  if (!passed) throw new Error(output)
  return withoutSession(stdout)
}
