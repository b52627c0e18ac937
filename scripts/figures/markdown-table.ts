/** Rows of cells as a Markdown table; the formatter aligns it. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [heading, heading.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
