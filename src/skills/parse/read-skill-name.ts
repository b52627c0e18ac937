import type { FieldReader } from './field-reader.ts'
import { FILE_START, type Findings } from './findings.ts'
import { isPortableName, isUsableName, usableName } from '../definition/skill-name.ts'

/**
 * The name a skill or agent goes by: the one it gives, made usable, else its folder's. Undefined, and an
 * error among the findings, when neither can be used.
 */
export function readSkillName(
  reader: FieldReader,
  folder: string,
  findings: Findings,
  kind: 'skill' | 'Carnet skill' | 'agent' = 'skill',
): string | undefined {
  const given = reader.text('name')
  const place = reader.entry('name')?.node.place ?? FILE_START
  const name = usableName(given ?? folder) ?? usableName(folder)
  if (name === undefined) {
    findings.add(
      'error',
      'name-missing',
      `The ${kind} has no name, and its folder has none that could be used.`,
      'Add `name:` with lower-case letters, digits and hyphens.',
      place,
    )
    return undefined
  }
  if (given === undefined) {
    findings.add(
      'warning',
      'name-missing',
      `The ${kind} has no name; it goes by its folder's, "${name}".`,
      `Add \`name: ${name}\` to the front matter.`,
      place,
    )
    return name
  }
  if (!(kind === 'skill' ? isPortableName : isUsableName)(given)) {
    findings.add(
      'warning',
      'name-invalid',
      isUsableName(given)
        ? `The name "${given}" is not one that every program accepts.`
        : `The name "${given.slice(0, 100)}" cannot be used; the ${kind} goes by "${name}".`,
      'Use 1 to 64 lower-case letters, digits and single hyphens.',
      place,
    )
  }
  if (given.normalize('NFKC') !== folder.normalize('NFKC')) {
    findings.add(
      'warning',
      'name-mismatch',
      `The ${kind} is named "${given.slice(0, 100)}" but its folder is "${folder}".`,
      `Give the folder and the ${kind} the same name.`,
      place,
    )
  }
  return name
}
