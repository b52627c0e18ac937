import type { StyledFrame } from './styled-frame.ts'

/** A frame as lines of plain text, without blanks at the ends. */
export function writeText({ rows }: StyledFrame): string {
  const lines = rows.map((runs) =>
    runs
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
  return `${lines.join('\n').trimEnd()}\n`
}
