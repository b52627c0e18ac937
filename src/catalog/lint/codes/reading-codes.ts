import type { DiagnosticGroup } from './diagnostic-group.ts'

/** What keeps a file or folder from being read, or from being read whole. */
export const FILE_CODES: DiagnosticGroup = {
  title: 'Files and folders',
  origin: 'Reading from disk.',
  level: 'spec',
  codes: {
    'encoding-utf16': {
      severity: ['error'],
      what: 'The file is UTF-16.',
      hint: 'Save it as UTF-8.',
    },
    'encoding-nul': {
      severity: ['error'],
      what: 'The file holds a NUL byte; the finding names its offset.',
      hint: 'Save it as plain text.',
    },
    'encoding-invalid': {
      severity: ['error'],
      what: 'The file is not UTF-8; the finding names the offset of the first wrong byte.',
      hint: 'Save it as UTF-8.',
    },
    'file-not-found': {
      severity: ['error', 'warning'],
      what: 'The file is not there, or is a link to nothing.',
      hint: 'Add it, or remove the link.',
    },
    'file-not-regular': {
      severity: ['error', 'warning'],
      what: 'A folder, pipe, socket or device stands where a file should be.',
      hint: 'Put a regular file in its place.',
    },
    'file-too-large': {
      severity: ['error', 'warning'],
      what: 'The file has more bytes than are read.',
      hint: 'Shorten it, or raise the limit.',
    },
    'file-unreadable': {
      severity: ['error', 'warning'],
      what: 'The system does not let the file be read, or it changed while it was.',
      hint: 'Check its permissions and the disk.',
    },
    'link-broken': {
      severity: ['error', 'warning'],
      what: 'The link leads back to itself.',
      hint: 'Remove it.',
    },
    'link-outside': {
      severity: ['warning', 'error'],
      what: 'The link leads out of the skill or of the given folder; it was not followed.',
      hint: 'Put a copy in its place.',
    },
    'scan-cut': {
      severity: ['warning'],
      what: 'Folders were not looked into: there are too many, or they lie too deep.',
      hint: 'Give the folders that hold the skills.',
    },
    'files-cut': {
      severity: ['warning'],
      what: 'Not all files of the skill are listed: there are too many, or they are too large.',
      hint: 'Remove files that the skill does not need.',
    },
    'file-name-odd': {
      severity: ['warning'],
      what: 'The name of a file is a path on other systems; it is not listed.',
      hint: 'Use names without a backslash or a colon.',
    },
    'skill-nested': {
      severity: ['info'],
      what: 'A SKILL.md lies inside another skill: it is a file of that one.',
      hint: 'Move its folder beside the other skill.',
    },
  },
}

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
