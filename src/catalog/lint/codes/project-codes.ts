import type { DiagnosticGroup } from './diagnostic-group.ts'

/** Findings about configuration, trust and handlers. */
export const PROJECT_CODES: DiagnosticGroup = {
  title: 'Configuration, trust and handlers',
  origin: 'Opening a project.',
  level: 'native',
  codes: {
    'config-failed': {
      severity: ['error'],
      what: 'The configuration could not be imported, or exports no configuration.',
      hint: 'Correct it; everything else was read without it.',
    },
    'config-field': {
      severity: ['error'],
      what: 'A field of a configuration is wrong and has no effect. With wrong permissions, no session opens.',
      hint: 'Correct it.',
    },
    'allow-useless': {
      severity: ['warning'],
      what: 'A rule in `allow` can match nothing, or a rule in `deny` covers all that it matches. The same of tools that a skill or an agent lists and takes away.',
      hint: 'Correct it, or remove one of the two.',
    },
    'config-untrusted': {
      severity: ['warning'],
      what: 'The configuration was not run: its folder is not trusted.',
      hint: 'Read it, then run `loadout trust`, or use `--trust` for one run.',
    },
    'environment-untrusted': {
      severity: ['warning'],
      what: 'A configuration that is not trusted asks for environment variables.',
      hint: 'Trust the folder if prompts may contain them.',
    },
    'permissions-untrusted': {
      severity: ['warning'],
      what: 'A configuration that is not trusted allows tools or defines modes. This has no effect.',
      hint: 'Trust the folder if sessions may use these permissions.',
    },
    'path-missing': {
      severity: ['warning'],
      what: 'The configuration names a folder that does not exist.',
      hint: 'Correct it; paths are relative to the file.',
    },
    'path-outside': {
      severity: ['warning'],
      what: 'A configuration that is not trusted names a path outside its folder, or a link that leads out of it.',
      hint: 'Give the path yourself, or trust the folder.',
    },
    'trust-changed': {
      severity: ['warning'],
      what: 'A file in a folder changed after the folder was trusted, or trust was given by a version that did not cover every file. Code of the folder was not run.',
      hint: 'Read what changed, then trust it again.',
    },
    'handler-missing': {
      severity: ['warning'],
      what: 'A tool has no handler; it is listed but cannot be called.',
      hint: 'Add handler.ts, .js or .mjs.',
    },
    'handler-failed': {
      severity: ['error'],
      what: 'A handler could not be imported.',
      hint: 'Correct it.',
    },
    'handler-without-execute': {
      severity: ['error'],
      what: 'A handler exports no function `execute`.',
      hint: 'Export it by name.',
    },
    'servers-invalid': {
      severity: ['error'],
      what: 'A file of servers cannot be read: it is not JSON, or has neither `mcpServers` nor `servers`.',
      hint: 'Correct it.',
    },
    'server-invalid': {
      severity: ['warning'],
      what: 'A server that a skill names cannot be used, for example because it needs an environment variable that is not allowed.',
      hint: 'Correct it in its file, or allow the variable in `environment.servers` of the configuration.',
    },
    'server-untrusted': {
      severity: ['warning'],
      what: 'A server that a skill names is not started, because its folder is not trusted.',
      hint: 'Read its command, then run `loadout trust`, or use `--trust` for one run.',
    },
    'listing-outdated': {
      severity: ['warning'],
      what: 'The stored tools of a server in `loadout.lock` are not used: the server has another configuration, or the lock was changed by hand.',
      hint: 'Lock again: `loadout lock --servers`.',
    },
    'tool-untrusted': {
      severity: ['warning'],
      what: 'A tool is one file of code, which was not run: its folder is not trusted, or `bindHandlers` was not called. Nothing is known of the tool.',
      hint: 'Read the code, then run `loadout trust`, or use `--trust` for one run.',
    },
    'tool-failed': {
      severity: ['error'],
      what: 'The file of a tool could not be imported.',
      hint: 'Correct it.',
    },
    'tool-export': {
      severity: ['error'],
      what: 'The file of a tool exports no tool, or several.',
      hint: 'Export one tool; move shared code into a folder `lib`.',
    },
    'carnet-excluded': {
      severity: ['info'],
      what: 'The configuration of a Carnet project leaves files out.',
      hint: 'Change `include` or `exclude` if they should be read.',
    },
    'manifest-invalid': {
      severity: ['error'],
      what: 'A Carnet manifest is not a JSON object.',
      hint: 'Build it again.',
    },
    'manifest-version': {
      severity: ['error'],
      what: 'A Carnet manifest has a version other than 1.',
      hint: 'Build it again with Carnet 0.3.0, or use the folder.',
    },
    'manifest-field': {
      severity: ['error'],
      what: 'An entry of a Carnet manifest is wrong and was left out.',
      hint: 'Correct the source and build it again.',
    },
    'manifest-entry': {
      severity: ['error'],
      what: 'An entry of a Carnet manifest cannot be defined here.',
      hint: 'Correct the source and build it again.',
    },
    'file-path-outside': {
      severity: ['warning'],
      what: 'A skill of a Carnet manifest lists a file by a path outside it.',
      hint: 'Use a path such as `references/guide.md`.',
    },
  },
}

/** Findings that only lint reports: the definition is loaded, but may not be what its author wants. */
export const NATIVE_CODES: DiagnosticGroup = {
  title: 'Advice',
  origin: 'Lint itself. These findings never prevent a definition from loading.',
  level: 'native',
  codes: {
    'link-missing': {
      severity: ['warning'],
      what: 'A link in SKILL.md, or in another Markdown file of the skill, leads to no file.',
      hint: 'Add the file, or correct the link.',
    },
    'link-leaves-skill': {
      severity: ['warning'],
      what: 'A link leads out of the folder of the skill, where files cannot be read.',
      hint: 'Copy the file into the skill.',
    },
    'mention-missing': {
      severity: ['info'],
      what: 'A file of `scripts`, `references` or `assets` is named in a code span, but does not exist.',
      hint: 'Add it, if it should be a file of the skill.',
    },
    'mention-case': {
      severity: ['info'],
      what: 'The instructions name a file of the skill in another case, such as `FORMS.md` for `forms.md`. It is found here, and not by every program.',
      hint: 'Write the name as the file has it.',
    },
    'skill-presupposes': {
      severity: ['info'],
      what: 'The skill presupposes a shell, file writing, programs, other skills, servers, variables or placeholders of a client, as far as its front matter and its instructions show.',
      hint: 'Check that the program that runs it has all of this.',
    },
    'hidden-character': {
      severity: ['warning'],
      what: 'A text contains a character that people do not see and models read: a control, a bidi override, a zero-width character, a tag.',
      hint: 'Remove it.',
    },
    'scripts-not-run': {
      severity: ['info'],
      what: 'The instructions of a skill ask for one of its scripts, and scripts only run where a host has a script runner.',
      hint: 'Give the host one (docs/scripts.md), or write a tool for it.',
    },
    'instructions-lines': {
      severity: ['warning'],
      what: 'The instructions of a skill have more than 500 lines, the limit that the specification recommends.',
      hint: 'Move parts into files of the skill.',
      sources: ['https://agentskills.io/specification#progressive-disclosure'],
    },
    'instructions-tokens': {
      severity: ['warning'],
      what: 'The instructions of a skill have more than 5,000 tokens, the limit that the specification recommends.',
      hint: 'Move parts into files of the skill.',
      sources: ['https://agentskills.io/specification#progressive-disclosure'],
    },
    'instructions-missing': {
      severity: ['warning'],
      what: 'The skill has no instructions and no tools.',
      hint: 'Write the instructions below the front matter.',
    },
    'description-vague': {
      severity: ['warning'],
      what: 'The description has fewer than three meaningful words that are not in the name.',
      hint: 'Say what the skill works on, what it does, and what a user would ask for.',
    },
    'trigger-missing': {
      severity: ['warning'],
      what: 'Neither the description nor triggers say when to use the skill. Only descriptions in Latin script are checked, by English words.',
      hint: 'Add "Use when …" to the description, or `loadout.triggers`.',
    },
    'allowed-tools-unmatched': {
      severity: ['warning', 'info'],
      what: '`allowed-tools` asks for a tool that does not exist. Only `info` for tools that coding agents have.',
      hint: 'Correct the pattern, or remove it.',
    },
    'pattern-unmatched': {
      severity: ['warning', 'info'],
      what: 'A pattern of an agent (`tools`, `disallowedTools`, `pinned`), of `disallowed-tools` or of permissions matches no tool. Only `info` for tools that coding agents have and are taken away.',
      hint: 'Correct it, or remove it.',
    },
    'argument-unmatched': {
      severity: ['warning'],
      what: 'A rule of permissions is about an argument that no tool it matches has.',
      hint: 'Correct its name, or remove the rule.',
    },
    'phrases-missing': {
      severity: ['info'],
      what: 'A tool has no phrases for searches.',
      hint: 'Add requests that a user would write.',
    },
    'topic-missing': {
      severity: ['info'],
      what: 'A tool has no topic, and there are rules for topics.',
      hint: 'Give it the topic of its rules.',
    },
    'topic-without-rules': {
      severity: ['info'],
      what: 'A tool has a topic that has no rules.',
      hint: 'Correct it, or write rules for it.',
    },
    'rules-unused': {
      severity: ['warning'],
      what: 'There are rules for a topic that no tool has, so they are never shown.',
      hint: 'Give the tools this topic, or remove the rules.',
    },
    'related-unknown': {
      severity: ['warning'],
      what: 'A tool names a related tool that does not exist, or itself.',
      hint: 'Correct the name, or remove it.',
    },
    'extraction-twice': {
      severity: ['warning'],
      what: 'A tool has an extraction schema and an extract function.',
      hint: 'Keep one of the two.',
    },
    'extraction-unmatched': {
      severity: ['warning'],
      what: 'The output schema of a tool has nothing where its extraction looks, so working memory gets nothing of its results.',
      hint: 'Correct the extraction, or the output schema.',
    },
    'tool-tokens': {
      severity: ['warning'],
      what: 'The definition of a tool has more than 1,000 tokens.',
      hint: 'Shorten descriptions, and move explanations into doc.md.',
    },
    'summary-tokens': {
      severity: ['warning'],
      what: 'The summary of a tool has more than 120 tokens.',
      hint: 'Two to four short lines are enough.',
    },
    'tool-name-taken': {
      severity: ['warning'],
      what: 'Two skills have different tools of the same name and cannot be active together; the finding names both files.',
      hint: 'Rename one of the tools, or set `loadout.on-conflict`.',
    },
    'search-confuses': {
      severity: ['warning'],
      what: 'A search for one tool or skill finds another one first, or cannot distinguish the two.',
      hint: 'Describe the difference in both descriptions, or give each its own phrases.',
    },
  },
}
