import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import type { ReactElement } from 'react'

/** Draws a tree on a screen of `columns` columns, without colours and without trailing blanks. */
export function drawn(tree: ReactElement, columns: number): string {
  const lines = stripVTControlCharacters(renderToString(tree, { columns })).split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}
