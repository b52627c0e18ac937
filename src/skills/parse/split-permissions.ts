/**
 * The patterns of an `allowed-tools` text, which are parted by spaces or commas outside
 * parentheses: `Read Bash(git add:*), Write` holds three.
 */
export function splitPermissions(text: string): string[] {
  const patterns: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '(') depth += 1
    if (letter === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && (letter === ',' || /\s/.test(letter))) {
      patterns.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...patterns, text.slice(from)].filter((pattern) => pattern !== '')
}
