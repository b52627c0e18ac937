import { FILE_START, type Findings } from './findings.ts'
import type { YamlEntry } from './yaml-node.ts'
import { strip } from './strip.ts'

/** Code points, after composing. */
const MAX_NAME = 64

/** Every rule of the specification that a name breaks: each has a finding of its own. */
export function checkSpecificationName(
  entry: YamlEntry | undefined,
  folder: string,
  findings: Findings,
): void {
  const place = entry?.node.place ?? FILE_START
  const add = (code: string, message: string, hint: string) =>
    findings.add('error', `spec-name-${code}`, message, hint, place)
  const given = entry?.node.kind === 'scalar' ? strip(entry.node.text) : ''
  if (given === '') {
    const message = entry === undefined ? 'There is no name.' : 'The name must be text, not empty.'
    add('missing', message, 'Give the name of the folder as `name:`.')
    return
  }
  const name = given.normalize('NFKC')
  const length = [...name].length
  const shown = [...name].slice(0, 100).join('')
  if (length > MAX_NAME) {
    add('length', `The name has ${length} characters; ${MAX_NAME} are allowed.`, 'Shorten it.')
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
      `The name "${shown}" holds other characters than letters, digits and hyphens.`,
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
