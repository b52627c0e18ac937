import type { DiagnosticGroup } from './diagnostic-group.ts'

/** Findings about files and folders that cannot be read, or only in part. */
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
      what: 'The file contains a NUL byte; the finding names its offset.',
      hint: 'Save it as plain text.',
    },
    'encoding-invalid': {
      severity: ['error'],
      what: 'The file is not UTF-8; the finding names the offset of the first wrong byte.',
      hint: 'Save it as UTF-8.',
    },
    'file-not-found': {
      severity: ['error', 'warning'],
      what: 'The file does not exist, or is a broken link.',
      hint: 'Add it, or remove the link.',
    },
    'file-not-regular': {
      severity: ['error', 'warning'],
      what: 'There is a folder, pipe, socket or device in place of a file.',
      hint: 'Put a regular file in its place.',
    },
    'file-too-large': {
      severity: ['error', 'warning'],
      what: 'The file is larger than the limit.',
      hint: 'Shorten it.',
    },
    'file-unreadable': {
      severity: ['error', 'warning'],
      what: 'The operating system refused to read the file, or the file changed while it was read.',
      hint: 'Check its permissions and the disk.',
    },
    'link-broken': {
      severity: ['error', 'warning'],
      what: 'The link leads back to itself.',
      hint: 'Remove it.',
    },
    'link-outside': {
      severity: ['warning', 'error'],
      what: 'The link leads out of the skill, or out of the repository that is read; it was not followed.',
      hint: 'Put a copy in its place, or follow it: `--follow-links-out`.',
    },
    'skill-file-name': {
      severity: ['warning'],
      what: 'A file such as `SKILL.MD` is not read as a skill: case matters in its name.',
      hint: 'Rename it to `SKILL.md`.',
    },
    'skill-one-file': {
      severity: ['warning'],
      what: 'A file of Markdown in a folder of skills begins as a skill does, and is not read: a skill is a folder.',
      hint: 'Move it to `SKILL.md` in a folder of its own.',
    },
    'scan-cut': {
      severity: ['warning'],
      what: 'Some folders were not searched: there are too many, or they are nested too deeply.',
      hint: 'Give the folders that contain the skills, or raise `--max-folders` or `--max-depth`.',
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
    'plugin-missing': {
      severity: ['warning'],
      what: 'A marketplace lists a plugin that is not in its folder.',
      hint: 'Fetch the complete repository.',
    },
    'plugin-path': {
      severity: ['warning'],
      what: 'The manifest of a plugin or its marketplace names a part that cannot be read: the path does not exist, leads out of the folder of the plugin, or is of another kind.',
      hint: 'Name a part of the plugin by its path from the folder of the plugin.',
    },
    'plugin-skill-file': {
      severity: ['warning'],
      what: 'The manifest of a plugin names the `SKILL.md` of a skill. It is read here, but Claude Code reads only folders.',
      hint: 'Name the folder of the skill.',
    },
    'added-skill-changed': {
      severity: ['warning'],
      what: 'A file of a skill that was copied from elsewhere was changed here, or the skill is not here.',
      hint: 'Compare it with its origin: `loadout update`. Copy it again: `loadout lock --install`.',
    },
    'skill-template': {
      severity: ['info'],
      what: 'A folder such as `_template`, or a name such as `skill-name`, is a template of skills and not a skill.',
      hint: 'Give the skill and its folder one name to make it a skill.',
    },
    'skill-nested': {
      severity: ['info'],
      what: 'A SKILL.md is inside another skill, and is a file of that skill.',
      hint: 'Move its folder out of the other skill.',
    },
  },
}

/** Findings of the lenient readers in definitions. */
export const READING_CODES: DiagnosticGroup = {
  title: 'Reading definitions',
  origin:
    'The readers of SKILL.md, AGENT.md, TOOLSET.md, TOOL.md, tool folders and rules. They read as much as they can; an error means that the item was not loaded.',
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
      what: 'The front matter is in a language other than YAML, such as `---js`. It is never run.',
      hint: 'Make the first line exactly `---` and write YAML.',
    },
    'front-matter-too-long': {
      severity: ['error'],
      what: 'The front matter is longer than the limit.',
      hint: 'Move text below the second `---`.',
    },
    'yaml-invalid': {
      severity: ['error'],
      what: 'The front matter is not YAML.',
      hint: 'Correct it at the place that the finding names.',
    },
    'yaml-tag': {
      severity: ['error'],
      what: 'The front matter contains a tag, such as `!!js`.',
      hint: 'Write plain values.',
    },
    'yaml-too-complex': {
      severity: ['error'],
      what: 'The front matter is nested too deeply, or repeats itself by too many aliases.',
      hint: 'Keep it a flat list of fields.',
    },
    'duplicate-key': {
      severity: ['error'],
      what: 'A key occurs twice.',
      hint: 'Keep one of the two.',
    },
    'json-invalid': {
      severity: ['error'],
      what: 'The file is not JSON, or contains no object.',
      hint: 'Correct it; comments and trailing commas are not JSON.',
    },
    'unquoted-colon': {
      severity: ['warning'],
      what: 'A value contains a colon and is not in quotes; it was read as if it were.',
      hint: 'Put it in quotes: other programs refuse the file.',
    },
    'unquoted-value': {
      severity: ['warning'],
      what: 'A value that YAML refuses, such as `@name` or `[a] [b]`, is not in quotes; it was read as text.',
      hint: 'Put it in quotes: OpenCode and pi, and for some signs Codex, drop the file.',
    },
    'tab-indentation': {
      severity: ['warning'],
      what: 'Tabs indent the front matter; they were read as spaces.',
      hint: 'Indent with two spaces.',
    },
    'name-missing': {
      severity: ['warning', 'error'],
      what: 'There is no name; the name of the folder is used, if possible.',
      hint: 'Add `name:`.',
    },
    'name-invalid': {
      severity: ['warning'],
      what: 'Not every program accepts the name; it may be used in another form.',
      hint: 'Use 1 to 64 lower-case letters, digits and single hyphens.',
    },
    'name-mismatch': {
      severity: ['warning'],
      what: 'The name differs from the name of the folder.',
      hint: 'Give both the same name.',
    },
    'description-missing': {
      severity: ['warning', 'error', 'info'],
      what: 'There is no description; the first paragraph is used, if there is one.',
      hint: 'Say what it does and when to use it.',
    },
    'description-too-long': {
      severity: ['warning'],
      what: 'The description has more than 1,024 characters; it is read completely.',
      hint: 'Shorten it; other programs refuse the skill.',
    },
    'compatibility-too-long': {
      severity: ['warning'],
      what: 'The compatibility has more than 500 characters; it is read completely.',
      hint: 'Shorten it; other programs refuse the skill.',
    },
    'unknown-field': {
      severity: ['warning'],
      what: 'A field is unknown, or only a client reads it, and it has no effect.',
      hint: 'Do what the finding says, remove it, or correct its name.',
    },
    'field-kind': {
      severity: ['warning', 'error'],
      what: 'A field has the wrong kind of value. An error if the field would have restricted something.',
      hint: 'Write it as the finding describes.',
    },
    'field-value': {
      severity: ['warning'],
      what: 'A field has a value that it does not accept.',
      hint: 'Use one of the values that the finding lists.',
    },
    'field-twice': {
      severity: ['info'],
      what: 'A field is in both the front matter and the `schema.json` next to it.',
      hint: 'Keep it in the front matter.',
    },
    'field-not-portable': {
      severity: ['info'],
      what: 'A field of Carnet that the open specification does not have.',
      hint: 'Use `metadata` with our keys if every program should accept the file.',
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
      what: 'The fields of a skill contradict each other.',
      hint: 'The finding names the field.',
    },
    'file-missing': {
      severity: ['warning'],
      what: 'The front matter lists a file that the skill does not have.',
      hint: 'Add the file, or remove it from the list.',
    },
  },
}
