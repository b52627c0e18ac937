import type { DiagnosticGroup } from './diagnostic-group.ts'

/** What the readers find in tools, toolsets, agents and rules. */
export const DEFINITION_CODES: DiagnosticGroup = {
  title: 'Tools, toolsets, agents and rules',
  origin: 'The readers of definitions beside skills.',
  level: 'native',
  codes: {
    'tool-invalid': {
      severity: ['error'],
      what: 'The definition of a tool is wrong; the finding names the field.',
      hint: 'Correct the field.',
    },
    'toolset-invalid': {
      severity: ['error'],
      what: 'The definition of a toolset is wrong; the finding names the field.',
      hint: 'Correct the field.',
    },
    'agent-invalid': {
      severity: ['error'],
      what: 'The definition of an agent is wrong; the finding names the field.',
      hint: 'Correct the field.',
    },
    'tools-missing': {
      severity: ['warning'],
      what: 'A toolset lists no tools.',
      hint: 'Name its tools in `tools:`.',
    },
    'summary-too-long': {
      severity: ['warning'],
      what: 'The summary of a tool has more than four lines.',
      hint: 'Keep two to four lines; the rest belongs into doc.md.',
    },
    'summary-short': {
      severity: ['info'],
      what: 'The summary of a tool has one line.',
      hint: 'Say in a second one when to use it.',
    },
    'doc-sections': {
      severity: ['warning'],
      what: 'The documentation of a tool lacks sections that it should have.',
      hint: 'Add those that the finding names.',
    },
    'parameters-open': {
      severity: ['info'],
      what: 'The parameters of a tool are not closed; they are taken as closed.',
      hint: 'Write `"additionalProperties": false`.',
    },
    'schema-at-top': {
      severity: ['info'],
      what: 'The parameters stand at the top of the file, not in `parameters`.',
      hint: 'Move them into `parameters`.',
    },
    'handler-ambiguous': {
      severity: ['warning'],
      what: 'A tool has several handlers; the first is used.',
      hint: 'Keep one.',
    },
    'toolset-file-ignored': {
      severity: ['info'],
      what: 'A file beside a TOOLSET.md has no front matter: it describes no tool.',
      hint: 'Give it a name and a description, or move it.',
    },
    'rules-empty': {
      severity: ['error'],
      what: 'A file of rules holds no text.',
      hint: 'Write the rules, or remove the file.',
    },
  },
}
