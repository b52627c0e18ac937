import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT, projectEnvironment, runCommand } from './run-command.ts'

/** Takes one frame: a function from the pressed keys to the frame after them. */
const MARKED = /^<!-- keys: (.*?) ?-->\n\n```text\n[^]*?^```$/gm

/** A page with its frames taken again, and the number of frames. */
interface PageWithFrames {
  readonly text: string
  readonly frames: number
}

/**
 * Takes the frames of a page again. A frame is a `text` fence below a comment with the keys, such as `<!--
 * keys: 2 / q -->`. The comment of the first frame has no keys.
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

/** A session has a random id, and entries have times; a page always shows the same ones. */
export function withoutSession(frame: string): string {
  return frame
    .replace(/(?<=session (?:"|&quot;)?)[\da-f]{6,}[\da-f-]*/g, (id) => id.replace(/[\da-f]/g, '0'))
    .replace(/\b\d\d:\d\d:\d\d\b/g, '12:00:00')
}

/** The options of the frames in docs/playground.md: the workbench with its agent, on a small terminal. */
const WALK_COMMAND = 'workbench --trust --agent assistant --columns 100 --rows 24 --snapshot text'

let walkFolder: string | undefined

/** Returns the frame after some keys, such as `2 / q`, as the built command prints it. */
export async function walkFrame(keys: string): Promise<string> {
  walkFolder ??= settledWorkbench('walk')
  const args = [join(PROJECT, 'bin/loadout.js'), 'play', ...WALK_COMMAND.split(' '), '--keys', keys]
  const { passed, stdout, output } = runCommand('node', args, { cwd: walkFolder })
  if (!passed) throw new Error(output)
  return stdout
}

/** The sizes of screens at which the playground is looked at. */
export const SIZES = ['60x20', '80x24', '120x36', '160x45', '200x60']

/** Activates a skill: the box of its tools is shown on the right. */
const PICTURE_KEYS = 'space'

/** Returns the picture of the README, or one of another size, on a light screen, or after other keys; the same on every machine. */
export function takePicture(size = '128x32', { light = false, keys = PICTURE_KEYS } = {}): string {
  const cwd = settledWorkbench('picture')
  const [columns = '', rows = ''] = size.split('x')
  const command = `play workbench --trust --agent assistant --columns ${columns} --rows ${rows}`
  const args = [join(PROJECT, 'bin/loadout.js'), ...command.split(' ')]
  const { passed, stdout, output } = runCommand(
    'node',
    [...args, '--snapshot', 'svg', '--keys', keys],
    { cwd, env: { ...projectEnvironment(), COLORFGBG: light ? '0;15' : '15;0' } },
  )
  if (!passed) throw new Error(output)
  return withoutSession(stdout)
}

/**
 * Copies the workbench into a folder that has the same name on every machine. The prompt names the folders of
 * skills, so the figures of a frame depend on the path of the workbench.
 *
 * @param purpose part of the folder's name, so that two programs that take frames do not use the same folder
 * @returns the folder of the copy `workbench`
 */
export function settledWorkbench(purpose: string): string {
  const folder = join('/tmp', `loadout-${purpose}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(PROJECT, 'examples', 'workbench'), join(folder, 'workbench'), { recursive: true })
  return folder
}
