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

/** What is found when definitions are put together. */
export const CATALOG_CODES: DiagnosticGroup = {
  title: 'Definitions together',
  origin: 'Making a catalog of all definitions.',
  level: 'native',
  codes: {
    'duplicate-skill': {
      severity: ['warning'],
      what: 'Two skills have one name; the finding has both files and says which is used.',
      hint: 'Rename one of the two.',
    },
    'duplicate-toolset': {
      severity: ['warning'],
      what: 'Two toolsets have one name.',
      hint: 'Rename one of the two.',
    },
    'duplicate-agent': {
      severity: ['warning'],
      what: 'Two agents have one name.',
      hint: 'Rename one of the two.',
    },
    'duplicate-component': {
      severity: ['warning'],
      what: 'Two components have one key.',
      hint: 'Rename one of the two.',
    },
    'duplicate-tool': {
      severity: ['warning'],
      what: 'Two shared tools have one name and version, and differ.',
      hint: 'Give one of the two another name or version.',
    },
    'duplicate-rules': {
      severity: ['warning'],
      what: 'There are two sets of rules for one topic.',
      hint: 'Put both into one text.',
    },
    'look-alike-name': {
      severity: ['warning'],
      what: 'A name is easily taken for another one: by case, separators, Unicode form, or letters of another script.',
      hint: 'Rename one of the two.',
    },
    'unknown-skill': {
      severity: ['warning', 'info'],
      what: 'A skill or agent names a skill that is not there.',
      hint: 'Correct the name; the finding has the nearest ones.',
    },
    'unknown-tool': {
      severity: ['warning'],
      what: 'A skill, toolset or agent names a tool, or a version of it, that is not defined.',
      hint: 'Correct the name, or define the tool.',
    },
    'unknown-toolset': {
      severity: ['warning'],
      what: 'A skill names a toolset that is not there.',
      hint: 'Correct the name, or define the toolset.',
    },
    'invalid-tool-reference': {
      severity: ['warning'],
      what: 'A reference to a tool cannot be read.',
      hint: 'Write a name, or a name and a range: `search@^1`.',
    },
    'tool-clash': {
      severity: ['warning', 'info'],
      what: 'One skill brings two different tools of one name.',
      hint: 'Rename one of them, or take one out.',
    },
    'ambiguous-handler': {
      severity: ['warning'],
      what: 'A tool is defined twice, word for word, with two handlers.',
      hint: 'Share one tool, or tell the two apart.',
    },
    'requirement-cycle': {
      severity: ['warning'],
      what: 'Skills require each other in a circle; none of them can be activated.',
      hint: 'Take one link out.',
    },
    'extends-cycle': {
      severity: ['warning'],
      what: 'Skills extend each other in a circle; the last link is left out.',
      hint: 'Take one link out.',
    },
    'impossible-requirement': {
      severity: ['warning'],
      what: 'A skill requires one that it cannot be active beside.',
      hint: 'Take the requirement out, or the conflict.',
    },
    'toolset-without-code': {
      severity: ['warning'],
      what: 'A skill uses a toolset none of whose tools has code.',
      hint: 'Register the tools, or give them handlers.',
    },
  },
}
