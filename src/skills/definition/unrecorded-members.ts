/**
 * Members of a skill that are code, or say where it was read and what was found: nothing a model
 * reads, so neither logs nor manifests keep them, and they make no difference between two skills.
 */
export const UNRECORDED: ReadonlySet<string> = new Set([
  'path',
  'baseDirectory',
  'diagnostics',
  'readFile',
  'onActivate',
  'onDeactivate',
])
