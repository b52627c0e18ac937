/** One entry of a skill's `allowed-tools`. */
export interface AllowedTool {
  /** As it was written. */
  readonly text: string
  /** Pattern of a tool's name. */
  readonly pattern: string
  /** What it says of the arguments, as clients write it: `git:*` of `Bash(git:*)`; null for any. */
  readonly argument: string | null
}

/** Read one entry of `allowed-tools`: a name or pattern, with or without an argument in brackets. */
export function readAllowedTool(text: string): AllowedTool {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) return { text, pattern: text, argument: null }
  return { text, pattern: text.slice(0, open), argument: text.slice(open + 1, -1) }
}
