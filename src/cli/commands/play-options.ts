import { InvalidArgumentError, Option } from 'commander'
import { isStroke, KEY_NAMES } from '../../playground/keys/key-name.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'

/** Forms a frame can be printed in. */
export type SnapshotForm = 'svg' | 'html' | 'text'

export interface PlayOptions extends CommonOptions {
  readonly readOnly?: true
  readonly inline?: true
  /** False with `--no-mouse`. */
  readonly mouse: boolean
  readonly ascii?: true
  readonly screenReader?: true
  readonly snapshot?: SnapshotForm
  readonly columns?: number
  readonly rows?: number
  readonly keys?: readonly string[]
}

/** What `loadout play` takes beside what every command takes. */
export function playOptions(): readonly Option[] {
  return [
    ...commonOptions(),
    new Option('--read-only', 'only look at the session'),
    new Option('--inline', 'draw below the prompt, not on a screen of its own'),
    new Option('--no-mouse', 'leave the mouse to the terminal'),
    new Option('--ascii', 'borders and marks of ASCII only'),
    new Option('--screen-reader', 'plain lines in reading order, without borders'),
    new Option('--snapshot <form>', 'print one frame of the screen and end').choices([
      'svg',
      'html',
      'text',
    ]),
    new Option('--columns <n>', 'how wide the frame is (120)').argParser(cells),
    new Option('--rows <n>', 'how high the frame is (36)').argParser(cells),
    new Option(
      '--keys <keys>',
      'keys pressed before the frame is taken, such as "tab j enter"',
    ).argParser(strokes),
  ]
}

/** A screen of more cells than this is a slip of the fingers. */
const MOST_CELLS = 1000

function cells(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > MOST_CELLS) {
    throw new InvalidArgumentError(`Give a number from 1 to ${MOST_CELLS}.`)
  }
  return number
}

function strokes(text: string): readonly string[] {
  const keys = text.split(' ').filter((key) => key !== '')
  const unknown = keys.find((key) => !isStroke(key))
  if (unknown === undefined) return keys
  throw new InvalidArgumentError(
    `No key is named "${unknown}": give letters and ${KEY_NAMES.join(', ')}, also with ctrl+ or shift+.`,
  )
}
