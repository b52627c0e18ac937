/**
 * Markdown in a fence that nothing inside can close: longer than any run of backticks or tildes
 * in it, wherever it stands.
 */
export function fence(body: string): string {
  let longest = 2
  for (const [run] of body.matchAll(/[`~]{3,}/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  return `${mark}markdown\n${body}\n${mark}`
}
