import type { DiagnosticGroup } from './diagnostic-group.ts'

/** What the lenient readers find in definitions. */
export const READING_CODES: DiagnosticGroup = {
  title: 'Reading definitions',
  origin:
    'The readers of SKILL.md, AGENT.md, TOOLSET.md, TOOL.md, tool folders and rules. They read what can be understood; an error means that the item was not loaded.',
  level: 'portable',
  codes: {
    'front-matter-missing': {
      severity: ['error'],
      what: 'The file does not start with front matter.',
      hint: 'Start with `---`, a name and a description, and `---`.',
    },
    'front-matter-unclosed': {
      severity: ['error'],
      what: 'The front matter has no closing line.',
      hint: 'Put a line of exactly `---` after the last field.',
    },
    'front-matter-engine': {
      severity: ['error'],
      what: 'The front matter is in another language than YAML, such as `---js`. Nothing is run.',
      hint: 'Make the first line exactly `---` and write YAML.',
    },
    'front-matter-too-long': {
      severity: ['error'],
      what: 'The front matter has more characters than are read.',
      hint: 'Move text below the second `---`.',
    },
    'yaml-invalid': {
      severity: ['error'],
      what: 'The front matter is not YAML.',
      hint: 'Correct it at the place that is named.',
    },
    'yaml-tag': {
      severity: ['error'],
      what: 'The front matter holds a tag, such as `!!js`.',
      hint: 'Write plain values.',
    },
    'yaml-too-complex': {
      severity: ['error'],
      what: 'The front matter is nested too deeply, or repeats itself by too many aliases.',
      hint: 'Keep it a flat list of fields.',
    },
    'duplicate-key': {
      severity: ['error'],
      what: 'A key stands twice.',
      hint: 'Keep one of the two.',
    },
    'json-invalid': {
      severity: ['error'],
      what: 'The file is not JSON, or holds no object.',
      hint: 'Correct it; comments and trailing commas are not JSON.',
    },
    'unquoted-colon': {
      severity: ['warning'],
      what: 'A value holds a colon and is not in quotes; it was read as if it were.',
      hint: 'Put it in quotes: other programs refuse the file.',
    },
    'tab-indentation': {
      severity: ['warning'],
      what: 'Tabs indent the front matter; they were read as spaces.',
      hint: 'Indent with two spaces.',
    },
    'name-missing': {
      severity: ['warning', 'error'],
      what: 'There is no name; that of the folder counts, if it can be used.',
      hint: 'Add `name:`.',
    },
    'name-invalid': {
      severity: ['warning'],
      what: 'The name is not one that every program accepts; it may be used in another form.',
      hint: 'Use 1 to 64 lower-case letters, digits and single hyphens.',
    },
    'name-mismatch': {
      severity: ['warning'],
      what: 'The name is not that of the folder.',
      hint: 'Give both the same name.',
    },
    'description-missing': {
      severity: ['warning', 'error', 'info'],
      what: 'There is no description; the first paragraph stands in, if there is one.',
      hint: 'Say what it does and when to use it.',
    },
    'description-too-long': {
      severity: ['warning'],
      what: 'The description has more than 1,024 characters; it is read whole.',
      hint: 'Shorten it; other programs refuse the skill.',
    },
    'compatibility-too-long': {
      severity: ['warning'],
      what: 'The compatibility has more than 500 characters; it is read whole.',
      hint: 'Shorten it; other programs refuse the skill.',
    },
    'unknown-field': {
      severity: ['warning'],
      what: 'A field that is not known and has no effect.',
      hint: 'Remove it, or correct its name.',
    },
    'field-kind': {
      severity: ['warning', 'error'],
      what: 'A field is of another kind than it must be. An error where it would have protected something.',
      hint: 'Write it as the finding says.',
    },
    'field-value': {
      severity: ['warning'],
      what: 'A field has a value that is not one of those it may have.',
      hint: 'Write one of those that the finding lists.',
    },
    'field-twice': {
      severity: ['info'],
      what: 'A field stands in the front matter and in the `schema.json` beside it.',
      hint: 'Keep it in the front matter.',
    },
    'field-not-portable': {
      severity: ['info'],
      what: 'A field of Carnet that the open specification does not have.',
      hint: 'Use `metadata` with our keys where every program should accept the file.',
    },
    'metadata-not-text': {
      severity: ['warning'],
      what: 'A value in metadata is a list or a mapping; it was kept as JSON text.',
      hint: 'Write it as one quoted text.',
    },
    'allowed-tools-form': {
      severity: ['info'],
      what: '`allowed-tools` is a list or has commas; it was read.',
      hint: 'Write the patterns as one text, with spaces between them.',
    },
    'skill-invalid': {
      severity: ['error'],
      what: 'The fields of a skill cannot be what they say together.',
      hint: 'The finding names the field.',
    },
    'file-missing': {
      severity: ['warning'],
      what: 'The front matter lists a file that the skill does not have.',
      hint: 'Add the file, or take it off the list.',
    },
  },
}
