import type { DiagnosticGroup } from './diagnostic-group.ts'

/** What the reference validator of the Agent Skills specification refuses a skill for. */
export const SPECIFICATION_CODES: DiagnosticGroup = {
  title: 'The specification',
  origin:
    'The reference validator of Agent Skills. Errors at level `spec`; warnings above, where a skill that can be understood is read.',
  level: 'spec',
  codes: {
    'spec-front-matter': {
      severity: ['error', 'warning'],
      what: 'The file does not start with front matter, or its front matter does not end.',
      hint: 'Start with a line of `---` and end the fields with another one.',
    },
    'spec-yaml': {
      severity: ['error', 'warning'],
      what: 'The front matter is not YAML, or not of the kind the validator reads: no braces, brackets, anchors or tags.',
      hint: 'One `key: value` a line, lists with one `- item` a line, odd text in quotes.',
    },
    'spec-unknown-field': {
      severity: ['error', 'warning'],
      what: 'A field that the specification does not have.',
      hint: 'Move it into `metadata`.',
    },
    'spec-name-missing': {
      severity: ['error', 'warning'],
      what: 'There is no name, or it is empty or no text.',
      hint: 'Give the name of the folder as `name:`.',
    },
    'spec-name-length': {
      severity: ['error', 'warning'],
      what: 'The name has more than 64 characters, once composed (NFKC).',
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
      what: 'The name holds other characters than letters (of any script), digits and hyphens.',
      hint: 'Use lower-case letters, digits and single hyphens.',
    },
    'spec-name-folder': {
      severity: ['error', 'warning'],
      what: 'The name is not that of the folder.',
      hint: 'Give both the same name.',
    },
    'spec-description-missing': {
      severity: ['error', 'warning'],
      what: 'There is no description, or it is empty or no text.',
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
