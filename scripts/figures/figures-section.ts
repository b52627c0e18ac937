/** One part of `docs/figures.md`, made of what one bench wrote. */
export interface FiguresSection {
  /** The results are in `bench/results/<name>.json`. */
  readonly name: string
  /** Markdown from its heading to its last line; every number in it is from the results. */
  write(results: unknown): string
}

/** Rows of cells as a Markdown table; the formatter aligns it. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [heading, heading.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
