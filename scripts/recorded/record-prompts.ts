import type { InstalledPackage } from './open-installed.ts'
import type { Recording } from './record-file.ts'

const PROGRAM = 'scripts/recorded/programs/prompts.ts'

/** Records the prompts of many states in each form, as the packed package writes them. */
export async function recordPrompts({ startRun }: InstalledPackage): Promise<readonly Recording[]> {
  using run = startRun('prompts')
  run.copy(PROGRAM, 'prompts.ts')
  const { code, stdout, stderr } = await run.shell('node prompts.ts')
  if (code !== 0 || stderr !== '') throw new Error(`The prompts cannot be written: ${stderr}`)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recording => JSON.parse(line))
}
