import type { Entry } from '../../engine/model/workspace-event.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { Frames } from './frames.ts'
import type { UiStore } from './ui-state.ts'
import type { VirtualWorkspace, WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** What actions act on and panes look at. One for the life of a screen. */
export interface PlaygroundContext {
  readonly ui: UiStore
  /** When what is shown is drawn. */
  readonly frames: Frames
  /** The live session; another object after the skills on disk were taken anew. */
  workspace(): VirtualWorkspace
  /** The session at the moment shown: the live one, or a look at an earlier entry. */
  reader(): WorkspaceReader
  /** The session after an entry, whatever is shown; kept for the moments looked at last. */
  look(seq: number): Promise<WorkspaceReader>
  /** What every count of the session comes from. */
  readonly counter: TokenCounter
  /** Tokens the prompt is measured against. */
  readonly promptBudget: number
  /** Every entry of the session so far. */
  entries(): readonly Entry[]
  /** Numbers of those that another process appended since the screen was opened. */
  foreign(): ReadonlySet<number>
  /** Whether commands can be given: not in a log that is only looked at. */
  readonly live: boolean
  /** Whether entries that other processes append are shown as they come. */
  readonly followed: boolean
  /** Take what changed on disk: all of it, or one skill that is equipped. */
  accept(skill: string | null): Promise<void>
  /** Leave the screen. */
  exit(): void
  /** Draw the whole screen anew, after something else wrote on it. */
  redraw(): void
  /** Stop the process as Ctrl-Z does, and draw anew once it goes on. */
  stop(): void
  /** Hand the terminal to another program, such as `$EDITOR`, and take it back. */
  suspend(program: () => Promise<void>): Promise<void>
  /** Edit a text in `$EDITOR`; null when there is none or it failed. */
  edit(text: string, suffix: string): Promise<string | null>
}
