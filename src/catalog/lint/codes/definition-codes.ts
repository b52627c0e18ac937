import type { DiagnosticGroup } from './diagnostic-group.ts'

/** Findings of the readers about tools, toolsets, agents and rules. */
export const DEFINITION_CODES: DiagnosticGroup = {
  title: 'Tools, toolsets, agents and rules',
  origin: 'The readers of definitions other than skills.',
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
      hint: 'Keep two to four lines, and move the rest into doc.md.',
    },
    'summary-short': {
      severity: ['info'],
      what: 'The summary of a tool has one line.',
      hint: 'Say in a second line when to use it.',
    },
    'doc-sections': {
      severity: ['warning'],
      what: 'The documentation of a tool lacks sections that it should have.',
      hint: 'Add the sections that the finding names.',
    },
    'parameters-open': {
      severity: ['info'],
      what: 'The parameters of a tool are not closed; they are treated as closed.',
      hint: 'Write `"additionalProperties": false`.',
    },
    'schema-at-top': {
      severity: ['info'],
      what: 'The parameters are at the top of the file, not in `parameters`.',
      hint: 'Move them into `parameters`.',
    },
    'handler-ambiguous': {
      severity: ['warning'],
      what: 'A tool has several handlers; the first is used.',
      hint: 'Keep one.',
    },
    'toolset-file-ignored': {
      severity: ['info'],
      what: 'A file next to a TOOLSET.md has no front matter: it describes no tool.',
      hint: 'Give it a name and a description, or move it.',
    },
    'rules-empty': {
      severity: ['error'],
      what: 'A file of rules contains no text.',
      hint: 'Write the rules, or remove the file.',
    },
  },
}

/** Findings about definitions in a catalog. */
export const CATALOG_CODES: DiagnosticGroup = {
  title: 'Definitions together',
  origin: 'Creating a catalog of all definitions.',
  level: 'native',
  codes: {
    'catalog-over-budget': {
      severity: ['warning'],
      what: 'The skills do not fit the list in a prompt (`catalogBudget`, 4,000 tokens): descriptions are shortened or left out. Only lint checks this.',
      hint: 'Shorten descriptions, give agents a list of their skills, or raise the budget.',
    },
    'duplicate-skill': {
      severity: ['warning', 'info'],
      what: 'Two skills have one name; the finding has both files and says which is used. Only `info` for copies with the same text, which have one finding together.',
      hint: 'Rename one of the two. Copies for other clients may stay.',
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
      hint: 'Merge both into one text.',
    },
    'duplicate-server': {
      severity: ['warning'],
      what: 'There are two servers with one name.',
      hint: 'Give one of the two another name.',
    },
    'unknown-server': {
      severity: ['warning'],
      what: 'A skill names a server that is not in the catalog. Its tools are missing while the skill is active.',
      hint: 'Add the server to the catalog, or correct the name.',
    },
    'look-alike-name': {
      severity: ['warning'],
      what: 'A name is easily confused with another one: it differs only in case, separators, Unicode form, or letters of another script.',
      hint: 'Rename one of the two.',
    },
    'unknown-skill': {
      severity: ['warning', 'info'],
      what: 'A skill or agent names a skill that does not exist.',
      hint: 'Correct the name; the finding lists the nearest names.',
    },
    'unknown-tool': {
      severity: ['warning'],
      what: 'A skill, toolset or agent names a tool, or a version of it, that is not defined.',
      hint: 'Correct the name, or define the tool.',
    },
    'unknown-toolset': {
      severity: ['warning'],
      what: 'A skill names a toolset that does not exist.',
      hint: 'Correct the name, or define the toolset.',
    },
    'invalid-tool-reference': {
      severity: ['warning'],
      what: 'A reference to a tool cannot be read.',
      hint: 'Write a name, or a name and a range: `search@^1`.',
    },
    'tool-clash': {
      severity: ['warning', 'info'],
      what: 'A skill has two different tools of the same name.',
      hint: 'Rename or remove one of them.',
    },
    'pattern-unchecked': {
      severity: ['warning'],
      what: 'A pattern in the schema of a tool is not checked: it refers back to a group, is too large, or is not a regular expression.',
      hint: 'Write the pattern in another way, or check the value in the handler.',
    },
    'schema-sent-otherwise': {
      severity: ['info'],
      what: 'A provider does not take the schema of a tool as written, so it is changed for requests: keys get names that fit, and what it cannot express is left out.',
      hint: 'Nothing has to be done: calls are checked with the schema as written.',
    },
    'format-unchecked': {
      severity: ['info'],
      what: 'A schema has a format, which is advice for the model: only a schema with a parser of its own checks it.',
      hint: 'Check the value in the handler, or define the tool with a zod schema.',
    },
    'strict-not-sent': {
      severity: ['warning'],
      what: 'A provider refuses the schema of a tool with `strict` in a strict tool, so it is sent without `strict`.',
      hint: 'Require every argument, let those that may be left out be null, and set `additionalProperties` to false.',
    },
    'sdk-option-dropped': {
      severity: ['warning'],
      what: 'An option of a tool of the AI SDK has no effect here, or not all of it.',
      hint: 'Follow the advice of the finding, or remove the option.',
    },
    'ambiguous-handler': {
      severity: ['warning'],
      what: 'A tool has two identical definitions with different handlers.',
      hint: 'Share one tool, or make the definitions different.',
    },
    'requirement-cycle': {
      severity: ['warning'],
      what: 'Skills require each other in a circle; none of them can be activated.',
      hint: 'Remove one link.',
    },
    'extends-cycle': {
      severity: ['warning'],
      what: 'Skills extend each other in a circle; the last link is ignored.',
      hint: 'Remove one link.',
    },
    'impossible-requirement': {
      severity: ['warning'],
      what: 'A skill requires a skill that cannot be active together with it.',
      hint: 'Remove the requirement or the conflict.',
    },
    'toolset-without-code': {
      severity: ['warning'],
      what: 'A skill uses a toolset whose tools all have no code.',
      hint: 'Register the tools, or give them handlers.',
    },
  },
}
