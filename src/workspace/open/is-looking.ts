import type { WorkspaceOptions } from './workspace-options.ts'

/** Whether a session is opened only to be looked at: nothing is written, and no hook runs. */
export function isLooking({ readOnly, at }: Pick<WorkspaceOptions, 'readOnly' | 'at'>): boolean {
  return readOnly === true || at !== undefined
}
