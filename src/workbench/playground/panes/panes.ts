import type { ScreenPane } from '../context/screen-pane.ts'
import { chatPane } from './chat-pane.tsx'
import { diffPane } from './diff-pane.tsx'
import { ledgerPane } from './ledger-pane.tsx'
import { memoryPane } from './memory-pane.tsx'
import { promptPane } from './prompt-pane.tsx'
import { skillsPane } from './skills-pane.tsx'
import { timelinePane } from './timeline-pane.tsx'
import { toolsPane } from './tools-pane.tsx'
import { waitingPane } from './waiting-pane.tsx'
import { whyPane } from './text-pane.tsx'

/** The lists, and the lane below the tabs. */
const LISTS: readonly ScreenPane[] = [skillsPane, toolsPane, waitingPane, timelinePane]

/** The panes of the playground, in their order on the screen. */
export const PANES: readonly ScreenPane[] = [
  ...LISTS,
  promptPane,
  whyPane([...LISTS, promptPane, chatPane]),
  chatPane,
  diffPane,
  ledgerPane,
  memoryPane,
]
