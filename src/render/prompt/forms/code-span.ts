/** A name as inline code, whatever backticks it has. */
export function codeSpan(name: string): string {
  let longest = 0
  for (const [run] of name.matchAll(/`+/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  const space = name.startsWith('`') || name.endsWith('`') ? ' ' : ''
  return mark + space + name + space + mark
}
