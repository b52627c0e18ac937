import type { DocumentDiff } from '../../../entries/plan.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { changePane, paneState, type UiState } from '../context/ui-state.ts'

/** The id of the pane with the sections of the prompt. */
export const PROMPT = 'prompt'

/** Returns the row id of a section's heading. */
export function sectionRow(section: string): string {
  return `section ${section}`
}

/** Returns true for a folded section: at first, only the boxes of active skills are open. */
export function isFolded(section: string, isToggled: boolean): boolean {
  return isToolsBox(section) === isToggled
}

function isToolsBox(section: string): boolean {
  return section.startsWith('skill-tools/')
}

const freshCache = identityMemo<readonly string[]>()

/** Returns the ids of the sections that a change added or changed. */
export function freshSections(document: DocumentDiff): readonly string[] {
  return freshCache([document], '', () =>
    document.changes.filter(({ kind }) => kind !== 'removed').map(({ id }) => id),
  )
}

/**
 * Opens the sections that a change added or changed, and moves the cursor to the first box of SKILL TOOLS among
 * them, else to the first section.
 */
export function showChanges(state: UiState, document: DocumentDiff): UiState {
  const fresh = freshSections(document)
  const target = fresh.find(isToolsBox) ?? fresh[0]
  if (target === undefined) return state
  const { toggled } = paneState(state, PROMPT)
  const others = toggled.filter((id) => !fresh.includes(id))
  const opened = fresh.filter((id) => isFolded(id, false))
  return changePane(state, PROMPT, {
    toggled: [...others, ...opened],
    selected: sectionRow(target),
  })
}
