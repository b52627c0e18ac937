/** One part of `docs/figures.md`, made of the results of one bench. */
export interface FiguresSection {
  /** The results are in `bench/results/<name>.json`. */
  readonly name: string
  /** Returns Markdown from its heading to its last line. Every number in it is from the results. */
  write(results: unknown): string
}

/** Returns rows of cells as a Markdown table. The formatter aligns it. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [heading, heading.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
