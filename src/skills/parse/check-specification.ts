import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { DefinitionText } from './definition-text.ts'
import { FILE_START, Findings } from './findings.ts'
import { MAX_FRONT_MATTER } from './parse-front-matter.ts'
import { parseYaml } from './parse-yaml.ts'
import type { YamlEntry } from './yaml-node.ts'
import { checkSpecificationName } from './check-specification-name.ts'
import { strip } from './strip.ts'
import { unlikeStrictYaml } from './unlike-strict-yaml.ts'

/** The fields of the open format: every other one is refused. */
const FIELDS = ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name']

/** Characters, counted as code points. */
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

/**
 * What the reference validator of the Agent Skills specification holds against a `SKILL.md`; nothing
 * exactly when it accepts the file.
 *
 * It follows that validator's own way, which is narrower than ours: no byte order mark, front
 * matter that ends at the next three dashes wherever they stand, YAML without flow style, anchors
 * or tags, and all values text. So it looks at the file anew and shares no judgement with
 * `parseSkillFile`.
 */
export function checkSpecification({ text, file, folder }: DefinitionText): readonly Diagnostic[] {
  const findings = new Findings(file)
  const fields = readFields(text.replaceAll(/\r\n?/g, '\n'), findings)
  if (fields === null) return findings.list
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
  return findings.list
}

function readFields(text: string, findings: Findings): ReadonlyMap<string, YamlEntry> | null {
  const refuse = (code: string, message: string, hint: string, place = FILE_START) => {
    findings.add('error', code, message, hint, place)
    return null
  }
  if (!text.startsWith('---')) {
    const marked = text.startsWith('\uFEFF')
    return refuse(
      'spec-front-matter',
      marked
        ? 'The file starts with a byte order mark, not with ---.'
        : 'The file does not start with front matter (---).',
      marked ? 'Save it as UTF-8 without a byte order mark.' : 'Start its first line with ---.',
    )
  }
  const end = text.indexOf('---', 3)
  if (end < 0) {
    return refuse(
      'spec-front-matter',
      'The front matter has no closing ---.',
      'Put a line of exactly --- after the last field.',
    )
  }
  const yaml = text.slice(3, end)
  if (yaml.length > MAX_FRONT_MATTER) {
    return refuse(
      'spec-yaml',
      `The front matter has ${yaml.length} characters; at most ${MAX_FRONT_MATTER} are looked at.`,
      'Keep fields short and move text below the second --- line.',
    )
  }
  const unlike = unlikeStrictYaml(yaml)
  if (unlike !== null) return refuse('spec-yaml', unlike.message, unlike.hint, unlike.place)
  const outcome = parseYaml(yaml)
  if (!outcome.ok) {
    for (const { message, hint, place } of outcome.problems) {
      findings.add('error', 'spec-yaml', message, hint, place)
    }
    return null
  }
  if (outcome.root?.kind === 'map') return outcome.root.entries
  return refuse(
    'spec-yaml',
    'The front matter holds no fields.',
    'Write one `key: value` a line between the two --- lines.',
  )
}

function checkDescription(entry: YamlEntry | undefined, findings: Findings): void {
  if (entry?.node.kind !== 'scalar' || strip(entry.node.text) === '') {
    findings.add(
      'error',
      'spec-description-missing',
      entry === undefined ? 'There is no description.' : 'The description must be text, not empty.',
      'Say in `description:` what the skill does and when to use it.',
      entry?.node.place ?? FILE_START,
    )
    return
  }
  checkLength('description', entry.node.text, MAX_DESCRIPTION, entry, findings)
}

function checkCompatibility(entry: YamlEntry | undefined, findings: Findings): void {
  if (entry === undefined) return
  if (entry.node.kind === 'scalar') {
    checkLength('compatibility', entry.node.text, MAX_COMPATIBILITY, entry, findings)
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
  field: string,
  text: string,
  limit: number,
  { node }: YamlEntry,
  findings: Findings,
): void {
  const length = [...text].length
  if (length <= limit) return
  findings.add(
    'error',
    `spec-${field}-length`,
    `The ${field} has ${length} characters; the specification allows ${limit}.`,
    'Shorten it.',
    node.place,
  )
}
