import { CST, Lexer } from 'yaml'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { FILE_START, Findings, type Place, placeAt } from './findings.ts'
import { MAX_FRONT_MATTER } from './parse-front-matter.ts'
import { parseYaml, type YamlEntry } from './parse-yaml.ts'
import type { DefinitionFile } from './read-definition.ts'

/** The fields of the open format. All others are refused. */
const FIELDS = ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name']

/** Limits of the specification in code points. */
export const SPECIFICATION_LIMITS = { name: 64, description: 1024, compatibility: 500 } as const

/**
 * Reports why the reference validator of the Agent Skills specification refuses a `SKILL.md`. There are
 * no findings exactly if the validator accepts the file.
 *
 * That validator reads less than we do: no byte order mark, front matter that ends at the next three
 * dashes anywhere, YAML without flow style, anchors or tags, and only text values. The file is
 * therefore parsed again, without results of `parseSkillFile`.
 */
export function checkSpecification({ text, file, folder }: DefinitionFile): readonly Diagnostic[] {
  const findings = new Findings(file)
  const plain = text.replaceAll(/\r\n?/g, '\n')
  checkFields(readFields(plain, findings), folder, findings)
  if (findings.list.length > 0) explainSplit(plain, findings)
  return findings.list
}

/** Names the cause of findings in a file that the validator splits in the middle of a line. */
function explainSplit(text: string, findings: Findings): void {
  const end = text.startsWith('---') ? text.indexOf('---', 3) : -1
  if (end < 0 || /(?:^|\n)---[\t ]*(?:\n|$)/.test(text.slice(end - 1, text.indexOf('\n', end) + 1)))
    return
  findings.add(
    'error',
    'spec-split',
    'The reference validator ends the front matter at these three dashes, which are not a line of their own, and takes the rest for text.',
    'Write no three dashes in a row inside of the front matter.',
    placeAt(text, end),
  )
}

function checkFields(
  fields: ReadonlyMap<string, YamlEntry> | null,
  folder: string,
  findings: Findings,
): void {
  if (fields === null) return
  for (const [field, { place }] of fields) {
    if (FIELDS.includes(field)) continue
    findings.add(
      'error',
      'spec-unknown-field',
      `The specification has no field "${field}".`,
      `Remove it, or move it into metadata. The fields are ${FIELDS.join(', ')}.`,
      place,
    )
  }
  checkSpecificationName(fields.get('name'), folder, findings)
  checkDescription(fields.get('description'), findings)
  checkCompatibility(fields.get('compatibility'), findings)
}

function readFields(text: string, findings: Findings): ReadonlyMap<string, YamlEntry> | null {
  if (!text.startsWith('---')) {
    const marked = text.startsWith('\uFEFF')
    return findings.refuse(
      'spec-front-matter',
      marked
        ? 'The file starts with a byte order mark, not with ---.'
        : 'The file does not start with front matter (---).',
      marked ? 'Save it as UTF-8 without a byte order mark.' : 'Start its first line with ---.',
      FILE_START,
    )
  }
  const end = text.indexOf('---', 3)
  if (end < 0) {
    return findings.refuse(
      'spec-front-matter',
      'The front matter has no closing ---.',
      'Put a line of exactly --- after the last field.',
      FILE_START,
    )
  }
  const yaml = text.slice(3, end)
  if (yaml.length > MAX_FRONT_MATTER) {
    return findings.refuse(
      'spec-yaml',
      `The front matter has ${yaml.length} characters; at most ${MAX_FRONT_MATTER} are read.`,
      'Keep fields short and move text below the second --- line.',
      FILE_START,
    )
  }
  const unlike = unlikeStrictYaml(yaml)
  if (unlike !== null) {
    return findings.refuse('spec-yaml', unlike.message, unlike.hint, unlike.place)
  }
  const outcome = parseYaml(yaml)
  if (!outcome.ok) {
    // Further problems usually follow from the first.
    const [problem] = outcome.problems
    if (problem) findings.add('error', 'spec-yaml', problem.message, problem.hint, problem.place)
    return null
  }
  if (outcome.root?.kind === 'map') return outcome.root.entries
  return findings.refuse(
    'spec-yaml',
    'The front matter contains no fields.',
    'Write one `key: value` per line between the two --- lines.',
    FILE_START,
  )
}

function checkDescription(entry: YamlEntry | undefined, findings: Findings): void {
  if (entry?.node.kind !== 'scalar' || strip(entry.node.text) === '') {
    findings.add(
      'error',
      'spec-description-missing',
      entry === undefined
        ? 'There is no description.'
        : 'The description must be text and not empty.',
      'Say in `description:` what the skill does and when to use it.',
      entry?.node.place ?? FILE_START,
    )
    return
  }
  checkLength('description', entry.node.text, entry, findings)
}

function checkCompatibility(entry: YamlEntry | undefined, findings: Findings): void {
  if (entry === undefined) return
  if (entry.node.kind === 'scalar') {
    checkLength('compatibility', entry.node.text, entry, findings)
    return
  }
  findings.add(
    'error',
    'spec-compatibility-kind',
    `The compatibility must be text, not a ${entry.node.kind}.`,
    'Write it as one text.',
    entry.node.place,
  )
}

function checkLength(
  field: 'description' | 'compatibility',
  text: string,
  { node }: YamlEntry,
  findings: Findings,
): void {
  const length = [...text].length
  const limit = SPECIFICATION_LIMITS[field]
  if (length <= limit) return
  findings.add(
    'error',
    `spec-${field}-length`,
    `The ${field} has ${length} characters; the specification allows ${limit}.`,
    'Shorten it.',
    node.place,
  )
}

/** Reports every rule of the specification that a name breaks as its own finding. */
function checkSpecificationName(
  entry: YamlEntry | undefined,
  folder: string,
  findings: Findings,
): void {
  const place = entry?.node.place ?? FILE_START
  const add = (code: string, message: string, hint: string) =>
    findings.add('error', `spec-name-${code}`, message, hint, place)
  const given = entry?.node.kind === 'scalar' ? strip(entry.node.text) : ''
  if (given === '') {
    const message =
      entry === undefined ? 'There is no name.' : 'The name must be text and not empty.'
    add('missing', message, 'Write the name of the folder as `name:`.')
    return
  }
  const name = given.normalize('NFKC')
  const length = [...name].length
  const shown = [...name].slice(0, 100).join('')
  const limit = SPECIFICATION_LIMITS.name
  if (length > limit) {
    add('length', `The name has ${length} characters; ${limit} are allowed.`, 'Shorten it.')
  }
  if (name !== name.toLowerCase()) {
    add('case', `The name "${shown}" has capital letters.`, 'Use lower-case letters.')
  }
  if (name.startsWith('-') || name.endsWith('-')) {
    add('edge-hyphen', `The name "${shown}" starts or ends with a hyphen.`, 'Remove it.')
  }
  if (name.includes('--')) {
    add('double-hyphen', `The name "${shown}" has two hyphens in a row.`, 'Use single hyphens.')
  }
  if (!/^[\p{L}\p{N}-]*$/u.test(name)) {
    add(
      'characters',
      `The name "${shown}" contains characters other than letters, digits and hyphens.`,
      'Use lower-case letters, digits and single hyphens.',
    )
  }
  if (folder.normalize('NFKC') !== name) {
    add(
      'folder',
      `The skill is named "${shown}" but its folder is "${folder}".`,
      'Give the folder and the skill the same name.',
    )
  }
}

/** Removes spaces at the edges as Python does, because the reference validator is written in Python. */
function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return (
    (code >= 0x09 && code <= 0x0d) ||
    (code >= 0x1c && code <= 0x20) ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** Refused syntax by its first lexeme. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['flow-map-start', 'a mapping in braces'],
  ['flow-seq-start', 'a list in brackets'],
  ['anchor', 'an anchor (&)'],
  ['alias', 'a reference (*)'],
  ['tag', 'a tag (!)'],
  ['directive-line', 'a directive (%)'],
])

/** The lexer puts this mark before a scalar without quotes. */
const SCALAR_MARK = '\x1f'

/** Marks that the lexer adds to the text of the file. */
const MARKS = new Set(['\x02', '\x18', SCALAR_MARK])

/** Characters YAML does not allow. */
const NOT_PRINTABLE = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uFFFD\u{10000}-\u{10FFFF}]/u

/**
 * Finds the first part of a text that YAML allows and StrictYAML, the subset that the reference validator
 * reads, refuses. Returns null if there is none. Does not check that the text is YAML.
 */
function unlikeStrictYaml(
  yaml: string,
): { readonly message: string; readonly hint: string; readonly place: Place } | null {
  let offset = 0
  let scalar = false
  for (const lexeme of new Lexer().lex(yaml)) {
    const type = scalar ? 'scalar' : (CST.tokenType(lexeme) ?? '')
    const isTab = type === 'space' && lexeme.includes('\t')
    const what = isTab ? 'a tab between values' : REFUSED.get(type)
    if (what !== undefined) {
      const isPermissions = /(?:^|\n)allowed-tools:[^\n]*$/.test(yaml.slice(0, offset))
      return {
        message: `The front matter contains ${what}, which the specification's validator refuses.`,
        hint: isPermissions
          ? 'Write the patterns of allowed-tools as one text, with spaces between them.'
          : 'Write lists with one `- item` per line, mappings with one `key: value` per line, and put text that starts with such a sign in quotes.',
        place: placeAt(yaml, offset),
      }
    }
    if (!MARKS.has(lexeme)) offset += lexeme.length
    scalar = lexeme === SCALAR_MARK
  }
  const odd = yaml.search(NOT_PRINTABLE)
  if (odd >= 0) {
    return {
      message: 'The front matter contains a control character.',
      hint: 'Remove it, or write it as an escape such as "\\x1b" in double quotes.',
      place: placeAt(yaml, odd),
    }
  }
  return null
}
