import type { Pane } from './pane.ts'
import { ledgerPane } from './panes/ledger-pane.tsx'
import { memoryPane } from './panes/memory-pane.tsx'
import { promptPane } from './panes/prompt-pane.tsx'
import { skillsPane } from './panes/skills-pane.tsx'
import { timelinePane } from './panes/timeline-pane.tsx'
import { toolsPane } from './panes/tools-pane.tsx'

/** The panes of the playground, in their order on the screen. */
export const PANES: readonly Pane[] = [
  skillsPane,
  toolsPane,
  promptPane,
  timelinePane,
  ledgerPane,
  memoryPane,
]
