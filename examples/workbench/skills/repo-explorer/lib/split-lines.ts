/** The lines of a text, whatever ends them; a final line end opens no further line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
