import { styleText } from 'node:util'

export type Paint = 'green' | 'yellow' | 'red' | 'magenta' | 'cyan' | 'dim' | 'bold'

/** Colours a text that is already sanitised. */
export function paint(
  text: string,
  colour: Paint | undefined,
  context: { readonly colour: boolean },
): string {
  if (colour === undefined || !context.colour) return text
  return styleText(colour, text, { validateStream: false })
}

/** Returns true for a terminal that says that its background is light, as `COLORFGBG` does: `0;15`. */
export function isOnLight({
  COLORFGBG: colours = '',
}: Readonly<Record<string, string | undefined>>): boolean {
  const background = Number(colours.split(';').at(-1) || 0)
  return background === 7 || background > 8
}

/**
 * Returns true when output should be coloured. `NO_COLOR` always wins; then `FORCE_COLOR` (`0` and
 * `false` mean no); otherwise only a terminal that is not `dumb` gets colours.
 */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM: terminal } = env
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return isTerminal && terminal !== 'dumb'
}
