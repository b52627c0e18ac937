import type { Entry } from '../engine/event.ts'
import type { Outcome } from '../session/outcome.ts'

/** A command's outcome and the entries it left; told once per command. */
export type WorkspaceListener = (outcome: Outcome, entries: readonly Entry[]) => void
