import type { ScreenPane } from '../context/screen-pane.ts'
import { ledgerPane } from './ledger-pane.tsx'
import { memoryPane } from './memory-pane.tsx'
import { promptPane } from './prompt-pane.tsx'
import { skillsPane } from './skills-pane.tsx'
import { timelinePane } from './timeline-pane.tsx'
import { toolsPane } from './tools-pane.tsx'

/** The panes of the playground, in their order on the screen. */
export const PANES: readonly ScreenPane[] = [
  skillsPane,
  toolsPane,
  promptPane,
  timelinePane,
  ledgerPane,
  memoryPane,
]
