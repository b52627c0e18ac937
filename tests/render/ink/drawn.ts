import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import type { ReactElement } from 'react'

/** What stands on a screen so many columns wide, without colours; blanks at line ends are gone. */
export function drawn(tree: ReactElement, columns: number): string {
  const lines = stripVTControlCharacters(renderToString(tree, { columns })).split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}
