import type { Place } from './findings.ts'

/** Why a text is not YAML that is read here. */
export interface YamlProblem {
  readonly code: 'yaml-invalid' | 'duplicate-key' | 'yaml-tag' | 'yaml-too-complex'
  readonly message: string
  readonly hint: string
  readonly place: Place
}

export function tooComplex(what: string, place: Place): YamlProblem {
  return {
    code: 'yaml-too-complex',
    message: `The YAML holds ${what}.`,
    hint: 'Front matter is a flat list of fields; put long data in a file of the skill.',
    place,
  }
}
