/**
 * The patterns of an `allowed-tools` text, which are parted by spaces or commas outside
 * parentheses: `Read Bash(git add:*), Write` holds three.
 */
export function splitPermissions(text: string): string[] {
  const patterns: string[] = []
  let depth = 0
  let current = ''
  for (const letter of text) {
    if (letter === '(') depth += 1
    if (letter === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && (letter === ',' || /\s/.test(letter))) {
      patterns.push(current)
      current = ''
    } else {
      current += letter
    }
  }
  return [...patterns, current].filter((pattern) => pattern !== '')
}
