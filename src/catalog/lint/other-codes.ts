import type { DiagnosticGroup } from './codes/diagnostic-group.ts'

/** Findings of other work than reading folders. */
export const OTHER_CODES: DiagnosticGroup = {
  title: 'Elsewhere',
  origin: 'Watching, running, manifests, export and logs.',
  level: null,
  codes: {
    'handler-untrusted': {
      severity: ['warning'],
      what: 'A handler was not run: its folder is not trusted. Lint runs none, so it does not say so.',
      hint: 'Read the code, then `loadout trust`, or `--trust` for one run.',
    },
    'project-unreadable': {
      severity: ['error'],
      what: 'A watched project cannot be read now; the last one that could stays.',
      hint: 'Correct what the finding names.',
    },
    'watch-failed': {
      severity: ['warning'],
      what: 'A folder cannot be watched; changes in it are not noticed.',
      hint: 'Restart after changes, or raise the limits of the system.',
    },
    'component-missing': {
      severity: ['warning'],
      what: 'A manifest was built with a component that was not given when it was loaded.',
      hint: 'Give the component, or build again.',
    },
    'component-changed': {
      severity: ['warning'],
      what: 'A component is not the one that the manifest was built with.',
      hint: 'Build the manifest again.',
    },
    'component-added': {
      severity: ['info'],
      what: 'A component was given that the manifest was built without.',
      hint: 'Build again to have it covered by the version.',
    },
    'carnet-lost': {
      severity: ['warning'],
      what: 'Something has no place in a Carnet manifest and was left out of it.',
      hint: 'Keep the folder as the source.',
    },
    'carnet-renamed': {
      severity: ['warning'],
      what: 'A name cannot be used in Carnet and was changed.',
      hint: 'Rename the definition.',
    },
    'carnet-file-left-out': {
      severity: ['warning'],
      what: 'A file cannot be put into a Carnet manifest as text.',
      hint: 'Keep it beside the manifest.',
    },
    'export-changed': {
      severity: ['warning'],
      what: 'A skill says less, or something else, in the folder it was exported to.',
      hint: 'Say it in the instructions, or keep the folder as the source.',
    },
    'export-left-out': {
      severity: ['warning'],
      what: 'Something has no place in plain Agent Skills folders and was left out.',
      hint: 'Keep the folder as the source.',
    },
    'export-code-missing': {
      severity: ['warning'],
      what: 'A tool that is code was exported without it.',
      hint: 'Write a handler beside its `schema.json`.',
    },
    'export-reaches-out': {
      severity: ['warning'],
      what: 'The code of an exported tool imports what lies outside its folder.',
      hint: 'Copy what it imports, or bundle it into the handler.',
    },
    'export-not-portable': {
      severity: ['warning'],
      what: 'An exported skill is not as the Agent Skills specification wants it.',
      hint: 'Correct what the finding names.',
    },
    'log-unfinished-append': {
      severity: ['warning'],
      what: 'The last append to a log was not finished; nothing of it counts.',
      hint: 'Nothing was acknowledged, so nothing is lost.',
    },
  },
}
