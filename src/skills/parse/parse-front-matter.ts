import { FILE_START, type Findings } from './findings.ts'
import { parseYaml, type YamlEntry, type YamlOutcome } from './parse-yaml.ts'

/** Characters. The longest real front matter that we know has about 2,000. */
export const MAX_FRONT_MATTER = 24 * 1024

/** The fields of a file, and the text below them. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, YamlEntry>
  readonly body: string
}

/** Parses a file with front matter and Markdown. Returns null and reports an error if it cannot be read. */
export function parseFrontMatter(text: string, findings: Findings): FrontMatter | null {
  const split = splitFrontMatter(text)
  if (!split.ok) {
    switch (split.reason) {
      case 'missing':
        return findings.refuse(
          'front-matter-missing',
          'The file does not start with front matter.',
          'Start the first line with --- and give at least a name and a description before the next ---.',
          FILE_START,
        )
      case 'unclosed':
        return findings.refuse(
          'front-matter-unclosed',
          'The front matter has no closing --- line.',
          'Put a line of exactly --- after the last field.',
          FILE_START,
        )
      case 'engine':
        return findings.refuse(
          'front-matter-engine',
          `Front matter in "${split.engine}" is not read: only YAML is read, and code is never run.`,
          'Make the first line exactly --- and write the fields as YAML.',
          FILE_START,
        )
    }
  }
  if (split.yaml.length > MAX_FRONT_MATTER) {
    return findings.refuse(
      'front-matter-too-long',
      `The front matter has ${split.yaml.length} characters; at most ${MAX_FRONT_MATTER} are read.`,
      'Keep fields short and move text below the second --- line.',
      { line: split.yamlLine, column: 1 },
    )
  }
  const outcome = parseWithRepair(split.yaml, split.yamlLine, findings)
  if (!outcome.ok) {
    for (const { code, message, hint, place } of outcome.problems) {
      findings.add('error', code, message, hint, place)
    }
    return null
  }
  if (outcome.root !== null && outcome.root.kind !== 'map') {
    return findings.refuse(
      'yaml-invalid',
      `The front matter is a ${outcome.root.kind === 'list' ? 'list' : 'single value'}, not fields.`,
      'Write one `key: value` per line.',
      outcome.root.place,
    )
  }
  return { fields: outcome.root?.entries ?? new Map(), body: split.body }
}

/** A file split at its `---` fences, or the reason why it cannot be split. */
type FrontMatterSplit =
  | {
      readonly ok: true
      /** The YAML between the fences, with `\n` line breaks. */
      readonly yaml: string
      /** The line of the file that the YAML starts on. */
      readonly yamlLine: number
      /** The text after the closing fence, unchanged. */
      readonly body: string
    }
  | { readonly ok: false; readonly reason: 'missing' | 'unclosed' }
  | { readonly ok: false; readonly reason: 'engine'; readonly engine: string }

/**
 * Splits a file into front matter and body.
 *
 * The first line of the file must be exactly `---`. Text after the dashes (`---js`) names another
 * language, which is refused and never run. A byte order mark is dropped. Lines may end in LF, CRLF
 * or CR.
 */
export function splitFrontMatter(file: string): FrontMatterSplit {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file
  const first = lineAt(text, 0)
  if (!first.text.startsWith('---')) return { ok: false, reason: 'missing' }
  if (!isFence(first.text)) {
    return { ok: false, reason: 'engine', engine: first.text.slice(3).trim().slice(0, 40) }
  }
  const yaml: string[] = []
  for (let at = first.next; at < text.length;) {
    const line = lineAt(text, at)
    if (isFence(line.text)) {
      return {
        ok: true,
        yaml: yaml.map((one) => `${one}\n`).join(''),
        yamlLine: 2,
        body: text.slice(line.next),
      }
    }
    yaml.push(line.text)
    at = line.next
  }
  return { ok: false, reason: 'unclosed' }
}

function isFence(line: string): boolean {
  return line.startsWith('---') && line.slice(3).trim() === ''
}

function lineAt(text: string, start: number): { readonly text: string; readonly next: number } {
  let end = start
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1
  const width = text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1
  return { text: text.slice(start, end), next: end + width }
}

/** Parses YAML. Invalid YAML is repaired and parsed again, and the repairs are reported. */
function parseWithRepair(yaml: string, firstLine: number, findings: Findings): YamlOutcome {
  const outcome = parseYaml(yaml, firstLine)
  if (outcome.ok || outcome.problems.some(({ code }) => code !== 'yaml-invalid')) return outcome
  const repair = repairFrontMatter(yaml)
  const repaired = parseYaml(repair.yaml, firstLine)
  if (!repaired.ok) return outcome
  for (const { line, key } of repair.quoted) {
    findings.add(
      'warning',
      'unquoted-colon',
      `The value of "${key}" contains a colon and is not in quotes; it was read as if it were.`,
      'Put the complete value in double quotes: other programs refuse the file.',
      { line: line + firstLine, column: 1 },
    )
  }
  for (const line of repair.tabs) {
    findings.add(
      'warning',
      'tab-indentation',
      'The line is indented with tabs, which YAML does not allow; they were read as spaces.',
      'Indent with two spaces: other programs refuse the file.',
      { line: line + firstLine, column: 1 },
    )
  }
  return repaired
}

/**
 * Repairs the two most common mistakes: a value that contains `: ` without quotes, and indentation with
 * tabs. Only called for invalid YAML; the result may still be invalid. Lines that were repaired are 0-based.
 */
function repairFrontMatter(yaml: string) {
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
    if (parts === null) continue
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

/** Splits a line whose value is plain text that YAML would read as another key. Returns null for any other line. */
function splitPair(line: string) {
  const colon = line.indexOf(': ')
  if (colon < 0) return null
  const indent = line.length - line.trimStart().length
  const key = line.slice(indent, colon).trim()
  if (key === '' || key.startsWith('#')) return null
  const value = line.slice(colon + 2).trim()
  if (value === '' || '\'"|>[{&*!#%@`'.includes(value[0] ?? '')) return null
  if (!value.includes(': ') && !value.endsWith(':')) return null
  return { indent, key, head: line.slice(0, colon + 2), value }
}

/** Returns the last of the indented lines that continue a value; the line itself if there are none. */
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
