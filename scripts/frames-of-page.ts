import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT, runCommand } from './run-command.ts'

/** What shows a frame on a page: the keys pressed before it was taken, then the frame itself. */
const MARKED = /^<!-- keys: (.*?) ?-->\n\n```text\n[^`]*```$/gm

/** A page with its frames taken anew, and how many there are. */
interface PageWithFrames {
  readonly text: string
  readonly frames: number
}

/**
 * Take the frames of a page anew. A frame stands in a `text` fence below a comment that has the
 * keys, such as `<!-- keys: 2 / q -->`; none before the first frame.
 */
export async function framesOfPage(
  page: string,
  takeFrame: (keys: string) => Promise<string>,
): Promise<PageWithFrames> {
  const taken: string[] = []
  for (const [, keys = ''] of page.matchAll(MARKED)) {
    const frame = withoutSession(await takeFrame(keys)).trimEnd()
    taken.push(`<!-- keys: ${keys}${keys === '' ? '' : ' '}-->\n\n\`\`\`text\n${frame}\n\`\`\``)
  }
  const rest = [...taken]
  return { text: page.replace(MARKED, () => rest.shift() ?? ''), frames: taken.length }
}

/** A session has a random id; a page shows the same one each time. */
function withoutSession(frame: string): string {
  return frame.replace(/(?<=session "?)[\da-f]{6,}[\da-f-]*/g, (id) => id.replace(/[\da-f]/g, '0'))
}

/** What docs/playground.md shows: the workbench as its agent, on a small terminal. */
const WALK_COMMAND = 'workbench --trust --agent assistant --columns 80 --rows 20 --snapshot text'

let walkFolder: string | undefined

/** The frame after some keys, such as `2 / q`, as the built command prints it. */
export async function walkFrame(keys: string): Promise<string> {
  walkFolder ??= settledWorkbench('walk')
  const args = [join(PROJECT, 'bin/loadout.js'), 'play', ...WALK_COMMAND.split(' '), '--keys', keys]
  const { passed, stdout, output } = runCommand('node', args, { cwd: walkFolder })
  if (!passed) throw new Error(output)
  return stdout
}

const PICTURE_COMMAND = 'workbench --trust --agent assistant --columns 128 --rows 20 --snapshot svg'

/** The prompt's sections folded, then a skill equipped: what came with it stands below. */
const PICTURE_KEYS = '3 z 1 space'

/** The picture of the README, the same on every machine. */
export function takePicture(): string {
  const cwd = settledWorkbench('picture')
  const args = [
    join(PROJECT, 'bin/loadout.js'),
    'play',
    ...PICTURE_COMMAND.split(' '),
    '--keys',
    PICTURE_KEYS,
  ]
  const { passed, stdout, output } = runCommand('node', args, { cwd })
  if (!passed) throw new Error(output)
  return withoutSession(stdout)
}

/**
 * A copy of the workbench in a folder that has the same name on every machine. The prompt names
 * the folders of skills, so what a frame counts depends on where the workbench stands.
 *
 * @param purpose part of the folder's name, so that two that take frames do not meet
 * @returns the folder the copy `workbench` stands in
 */
function settledWorkbench(purpose: string): string {
  const folder = join('/tmp', `loadout-${purpose}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(PROJECT, 'examples', 'workbench'), join(folder, 'workbench'), { recursive: true })
  return folder
}
