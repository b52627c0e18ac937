import { styleText } from 'node:util'
import type { CliContext } from './cli-context.ts'

export type Paint = 'green' | 'yellow' | 'red' | 'dim' | 'bold'

/** Colour a text that is safe to print; it says the same without. */
export function paint(
  text: string,
  colour: Paint | undefined,
  context: Pick<CliContext, 'colour'>,
): string {
  if (colour === undefined || !context.colour) return text
  return styleText(colour, text, { validateStream: false })
}

/**
 * Whether to colour: `NO_COLOR` says no whatever else is said, `FORCE_COLOR` yes (but for `0`
 * and `false`), else only a terminal that is not `dumb` gets colours.
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
