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

/** Parses YAML. Values that YAML refuses are read as text and tabs as spaces, which is reported. */
function parseWithRepair(yaml: string, firstLine: number, findings: Findings): YamlOutcome {
  const outcome = parseYaml(yaml, firstLine)
  if (outcome.ok || !outcome.problems.every(({ code }) => MENDED.has(code))) return outcome
  const repair = repairFrontMatter(yaml)
  const repaired = parseYaml(repair.yaml, firstLine)
  if (!repaired.ok) return repair.quoted.length > 0 ? repaired : outcome
  for (const { line, key, value } of repair.quoted) {
    const colon = isPlainWithColon(value)
    findings.add(
      'warning',
      colon ? 'unquoted-colon' : 'unquoted-value',
      colon
        ? `The value of "${key}" contains a colon and is not in quotes; it was read as if it were.`
        : `The value of "${key}" is no YAML; it was read as text.`,
      `${howToWrite(value)}: ${refusingClients(value)} the file.`,
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

/** Problems that text in quotes does not have. */
const MENDED: ReadonlySet<string> = new Set(['yaml-invalid', 'yaml-tag'])

/**
 * Says which clients drop a skill with such a value in its front matter, as seen with Codex 0.169, OpenCode 1.18 and
 * pi 0.73. Claude Code takes all of them.
 */
function refusingClients(value: string): string {
  if (value.startsWith('*') || value.startsWith('%')) return 'Codex, OpenCode and pi drop'
  if (value.startsWith('!')) return 'OpenCode drops'
  return isPlainWithColon(value) ? 'pi drops' : 'OpenCode and pi drop'
}

/** Says how YAML takes a text unchanged. Double quotes read backslashes; a block has no quotes. */
function howToWrite(value: string): string {
  if (!/["\\]/.test(value)) return 'Put the complete value in double quotes'
  if (!value.includes("'")) return 'Put the complete value in single quotes'
  return 'Write >- in its place, and the complete value on the next line, indented further'
}

/** A value that was read as text, with its 0-based line. */
interface QuotedValue {
  readonly line: number
  readonly key: string
  readonly value: string
}

/**
 * Repairs the most common mistakes: a value without quotes that YAML refuses, quotes within quotes, and indentation with
 * tabs. Only called for YAML that was refused; the result may still be. Lines that were repaired are 0-based.
 */
function repairFrontMatter(yaml: string) {
  const tabs: number[] = []
  const lines = yaml.split('\n').map((line, index) => {
    const indent = line.length - line.trimStart().length
    if (!line.slice(0, indent).includes('\t')) return line
    tabs.push(index)
    return line.slice(0, indent).replaceAll('\t', '  ') + line.slice(indent)
  })
  const quoted: QuotedValue[] = []
  let parent = ''
  for (let index = 0; index < lines.length; index += 1) {
    const parts = splitLine(lines[index] ?? '')
    if (parts === null) continue
    const { indent, head, value, key = parent } = parts
    parent = key
    if (value === '') continue
    const last = lastContinuation(lines, index, indent)
    const rest = lines.slice(index + 1, last + 1)
    if (isMeantAsText(value, rest)) {
      const text = last === index ? withoutOuterQuotes(value) : value
      const written = [text, ...rest].map((one) => one.replaceAll("'", "''"))
      lines.splice(index, written.length, ...written)
      lines[index] = `${head}'${lines[index]}`
      lines[last] += "'"
      quoted.push({ line: index, key, value })
    }
    index = last
  }
  return { yaml: lines.join('\n'), quoted, tabs }
}

/** Splits a line into what precedes its value, and the value. An item of a list has no key. Null for any other line. */
function splitLine(line: string) {
  const indent = line.length - line.trimStart().length
  let start = indent
  while (line.startsWith('- ', start)) start += 2
  const rest = line.slice(start)
  const colon = rest.search(/:(?: |$)/)
  const key = rest.slice(0, Math.max(0, colon)).trim()
  if (rest.startsWith('#') || (key === '' && start === indent)) return null
  if (key === '') return { indent, head: line.slice(0, start), key: undefined, value: rest.trim() }
  const head = `${line.slice(0, start + colon)}: `
  return { indent, head, key, value: rest.slice(colon + 1).trim() }
}

/**
 * Decides whether YAML refuses a value that is complete: an open bracket or quote may be closed by a line that is not
 * indented.
 */
function isMeantAsText(value: string, rest: readonly string[]): boolean {
  const close = CLOSING[value.charAt(0)]
  if (close !== undefined && !value.includes(close, 1)) return false
  // Tags such as !!js/function are meant for a YAML reader that runs code.
  if (value.startsWith('!!')) return false
  const outcome = parseYaml(['x: ' + value, ...rest].join('\n'))
  return !outcome.ok && outcome.problems.every(({ code }) => MENDED.has(code))
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" }

/** Returns true for plain text that YAML would read as another key. */
function isPlainWithColon(value: string): boolean {
  return !/^['"[{&*!%@`]/.test(value) && (value.includes(': ') || value.endsWith(':'))
}

function withoutOuterQuotes(value: string): string {
  const sign = value.charAt(0)
  const closed = (sign === '"' || sign === "'") && value.length > 1 && value.endsWith(sign)
  return closed ? value.slice(1, -1) : value
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
