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
