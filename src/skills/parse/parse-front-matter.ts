import type { Findings } from './findings.ts'
import { parseYaml, type YamlOutcome } from './parse-yaml.ts'
import { repairFrontMatter } from './repair-front-matter.ts'
import { splitFrontMatter } from './split-front-matter.ts'
import type { YamlEntry } from './yaml-node.ts'

/** Characters of front matter that are read; the largest real one known has about 2,000. */
export const MAX_FRONT_MATTER = 24 * 1024

/** The fields of a file and the text below them. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, YamlEntry>
  readonly body: string
}

/** Read a file of front matter and Markdown; null, and an error among the findings, when it is none. */
export function parseFrontMatter(text: string, findings: Findings): FrontMatter | null {
  const split = splitFrontMatter(text)
  if (!split.ok) {
    const start = { line: 1, column: 1 }
    switch (split.reason) {
      case 'missing':
        findings.add(
          'error',
          'front-matter-missing',
          'The file does not start with front matter.',
          'Start the first line with --- and give at least a name and a description before the next ---.',
          start,
        )
        return null
      case 'unclosed':
        findings.add(
          'error',
          'front-matter-unclosed',
          'The front matter has no closing --- line.',
          'Put a line of exactly --- after the last field.',
          start,
        )
        return null
      case 'engine':
        findings.add(
          'error',
          'front-matter-engine',
          `Front matter in "${split.engine}" is not read: only YAML is, and nothing is run.`,
          'Make the first line exactly --- and write the fields as YAML.',
          start,
        )
        return null
    }
  }
  if (split.yaml.length > MAX_FRONT_MATTER) {
    findings.add(
      'error',
      'front-matter-too-long',
      `The front matter has ${split.yaml.length} characters; at most ${MAX_FRONT_MATTER} are read.`,
      'Keep fields short and move text below the second --- line.',
      { line: split.yamlLine, column: 1 },
    )
    return null
  }
  const outcome = parseMending(split.yaml, split.yamlLine, findings)
  if (!outcome.ok) {
    for (const { code, message, hint, place } of outcome.problems) {
      findings.add('error', code, message, hint, place)
    }
    return null
  }
  if (outcome.root !== null && outcome.root.kind !== 'map') {
    findings.add(
      'error',
      'yaml-invalid',
      `The front matter is a ${outcome.root.kind === 'list' ? 'list' : 'single value'}, not fields.`,
      'Write one `key: value` a line.',
      outcome.root.place,
    )
    return null
  }
  return { fields: outcome.root?.entries ?? new Map(), body: split.body }
}

/** Parse; what does not parse is mended and parsed once more, and what was mended is reported. */
function parseMending(yaml: string, firstLine: number, findings: Findings): YamlOutcome {
  const outcome = parseYaml(yaml, firstLine)
  if (outcome.ok || outcome.problems.some(({ code }) => code !== 'yaml-invalid')) return outcome
  const repair = repairFrontMatter(yaml)
  const mended = parseYaml(repair.yaml, firstLine)
  if (!mended.ok) return outcome
  for (const { line, key } of repair.quoted) {
    findings.add(
      'warning',
      'unquoted-colon',
      `The value of "${key}" holds a colon and is not in quotes; it was read as if it were.`,
      'Put the whole value in double quotes: other programs refuse the file.',
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
  return mended
}
