import type { DiagnosticGroup } from './diagnostic-group.ts'

/** What is found about configuration, trust and handlers. */
export const PROJECT_CODES: DiagnosticGroup = {
  title: 'Configuration, trust and handlers',
  origin: 'Opening a project.',
  level: 'native',
  codes: {
    'config-failed': {
      severity: ['error'],
      what: 'The configuration could not be imported, or exports none.',
      hint: 'Correct it; everything else was read without it.',
    },
    'config-field': {
      severity: ['error'],
      what: 'A field of a configuration is wrong and has no effect.',
      hint: 'Correct it.',
    },
    'config-untrusted': {
      severity: ['warning'],
      what: 'The configuration was not run: its folder is not trusted.',
      hint: 'Read it, then `loadout trust`, or `--trust` for one run.',
    },
    'environment-untrusted': {
      severity: ['warning'],
      what: 'A configuration that is not trusted asks for environment variables.',
      hint: 'Trust the folder if prompts may hold them.',
    },
    'permissions-untrusted': {
      severity: ['warning'],
      what: 'A configuration that is not trusted allows something, or defines modes; without effect.',
      hint: 'Trust the folder if sessions may do what it says.',
    },
    'path-missing': {
      severity: ['warning'],
      what: 'The configuration names a folder that is not there.',
      hint: 'Correct it; paths are relative to the file.',
    },
    'path-outside': {
      severity: ['warning'],
      what: 'A configuration that is not trusted names a path outside its folder.',
      hint: 'Give the path yourself, or trust the folder.',
    },
    'trust-changed': {
      severity: ['warning'],
      what: 'Code of a trusted folder changed since; it was not run.',
      hint: 'Read what changed, then trust it again.',
    },
    'handler-missing': {
      severity: ['warning'],
      what: 'A tool has no handler; it is listed and cannot be called.',
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
    'carnet-excluded': {
      severity: ['info'],
      what: 'The configuration of a Carnet project leaves files out.',
      hint: 'Change `include` or `exclude` if they should be read.',
    },
    'manifest-invalid': {
      severity: ['error'],
      what: 'A Carnet manifest is no JSON object.',
      hint: 'Build it again.',
    },
    'manifest-version': {
      severity: ['error'],
      what: 'A Carnet manifest is of another version than 1.',
      hint: 'Build it again with Carnet 0.3.0, or give the folder.',
    },
    'manifest-field': {
      severity: ['error'],
      what: 'An entry of a Carnet manifest is wrong and left out.',
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
