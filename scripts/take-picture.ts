import { withoutSession } from './frames-of-page.ts'
import { runCommand } from './run-command.ts'

/** Few enough rows that the folder of this checkout, which the prompt names, is out of sight. */
const COMMAND =
  'examples/workbench --trust --agent assistant --columns 128 --rows 20 --snapshot svg'

/** The prompt's sections folded, then a skill equipped: what came with it stands below. */
const KEYS = '3 z 1 space'

/** The picture of the README, the same on every machine. */
export function takePicture(): string {
  const args = ['bin/loadout.js', 'play', ...COMMAND.split(' '), '--keys', KEYS]
  const { passed, stdout, output } = runCommand('node', args)
  if (!passed) throw new Error(output)
  return withoutSession(stdout)
}
