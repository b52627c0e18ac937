import type { DiagnosticGroup } from './diagnostic-group.ts'

/** Reasons for which the reference validator of the Agent Skills specification refuses a skill. */
export const SPECIFICATION_CODES: DiagnosticGroup = {
  title: 'The specification',
  origin:
    'The reference validator of Agent Skills. Errors at level `spec`; warnings at higher levels, which read every skill that can be understood.',
  level: 'spec',
  codes: {
    'spec-front-matter': {
      severity: ['error', 'warning'],
      what: 'The file does not start with front matter, or its front matter does not end.',
      hint: 'Start with a line of `---` and end the fields with another one.',
    },
    'spec-split': {
      severity: ['error', 'warning'],
      what: 'The validator ends the front matter at the next three dashes, wherever they are. Here they are inside of a field.',
      hint: 'Write no three dashes in a row in the front matter.',
    },
    'spec-yaml': {
      severity: ['error', 'warning'],
      what: 'The front matter is not YAML, or contains YAML that the validator does not read: braces, brackets, anchors or tags.',
      hint: 'Write one `key: value` per line, lists with one `- item` per line, and special characters in quotes.',
    },
    'spec-unknown-field': {
      severity: ['error', 'warning'],
      what: 'A field that the specification does not have.',
      hint: 'Move it into `metadata`.',
    },
    'spec-name-missing': {
      severity: ['error', 'warning'],
      what: 'There is no name, or it is empty or not a text.',
      hint: 'Write the name of the folder as `name:`.',
    },
    'spec-name-length': {
      severity: ['error', 'warning'],
      what: 'The name has more than 64 characters after normalisation (NFKC).',
      hint: 'Shorten it.',
    },
    'spec-name-case': {
      severity: ['error', 'warning'],
      what: 'The name has capital letters.',
      hint: 'Use lower-case letters.',
    },
    'spec-name-edge-hyphen': {
      severity: ['error', 'warning'],
      what: 'The name starts or ends with a hyphen.',
      hint: 'Remove it.',
    },
    'spec-name-double-hyphen': {
      severity: ['error', 'warning'],
      what: 'The name has two hyphens in a row.',
      hint: 'Use single hyphens.',
    },
    'spec-name-characters': {
      severity: ['error', 'warning'],
      what: 'The name contains characters other than letters (of any script), digits and hyphens.',
      hint: 'Use lower-case letters, digits and single hyphens.',
    },
    'spec-name-folder': {
      severity: ['error', 'warning'],
      what: 'The name differs from the name of the folder.',
      hint: 'Give both the same name.',
    },
    'spec-description-missing': {
      severity: ['error', 'warning'],
      what: 'There is no description, or it is empty or not a text.',
      hint: 'Say what the skill does and when to use it.',
    },
    'spec-description-length': {
      severity: ['error', 'warning'],
      what: 'The description has more than 1,024 characters.',
      hint: 'Shorten it.',
    },
    'spec-compatibility-length': {
      severity: ['error', 'warning'],
      what: 'The compatibility has more than 500 characters.',
      hint: 'Shorten it.',
    },
    'spec-compatibility-kind': {
      severity: ['error', 'warning'],
      what: 'The compatibility is a list or a mapping.',
      hint: 'Write it as one text.',
    },
  },
}
