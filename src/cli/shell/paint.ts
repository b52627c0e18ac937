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
