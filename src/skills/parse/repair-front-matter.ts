/** Front matter after its usual slips were mended, with the lines (from 0) that were. */
interface Repair {
  readonly yaml: string
  readonly quoted: readonly { readonly line: number; readonly key: string }[]
  readonly tabs: readonly number[]
}

/**
 * Mend the two slips that people make most: a value with an unquoted `: ` in it, and tabs as
 * indentation. Called only for YAML that does not parse; the result may still not.
 */
export function repairFrontMatter(yaml: string): Repair {
  const tabs: number[] = []
  const lines = yaml.split('\n').map((line, index) => {
    const indent = line.length - line.trimStart().length
    if (!line.slice(0, indent).includes('\t')) return line
    tabs.push(index)
    return line.slice(0, indent).replaceAll('\t', '  ') + line.slice(indent)
  })
  const quoted: { line: number; key: string }[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const parts = splitPair(lines[index] ?? '')
    if (!parts || !needsQuotes(parts.value)) continue
    const last = lastContinuation(lines, index, parts.indent)
    lines[index] = `${parts.head}'${parts.value.replaceAll("'", "''")}`
    for (let next = index + 1; next <= last; next += 1) {
      lines[next] = (lines[next] ?? '').replaceAll("'", "''")
    }
    lines[last] += "'"
    quoted.push({ line: index, key: parts.key })
    index = last
  }
  return { yaml: lines.join('\n'), quoted, tabs }
}

interface Pair {
  readonly indent: number
  readonly key: string
  /** Everything up to the value. */
  readonly head: string
  readonly value: string
}

function splitPair(line: string): Pair | null {
  const colon = line.indexOf(': ')
  if (colon < 0) return null
  const indent = line.length - line.trimStart().length
  const key = line.slice(indent, colon).trim()
  if (key === '' || key.startsWith('#')) return null
  const value = line.slice(colon + 2).trim()
  return { indent, key, head: line.slice(0, colon + 2), value }
}

/** Plain text that holds what YAML takes for another key. */
function needsQuotes(value: string): boolean {
  if (value === '' || '\'"|>[{&*!#%@`'.includes(value[0] ?? '')) return false
  return value.includes(': ') || value.endsWith(':')
}

/** The last of the deeper indented lines that go on a value; the line itself when there is none. */
function lastContinuation(lines: readonly string[], start: number, indent: number): number {
  let last = start
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.trim() === '') continue
    if (line.length - line.trimStart().length <= indent) break
    last = index
  }
  return last
}
