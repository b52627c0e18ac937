import { inTurns } from '../../kernel/serial-queue.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { editInEditor } from './edit-in-editor.ts'
import { MOUSE_OFF, MOUSE_ON } from './terminal-modes.ts'

/** What of Ink's app is used, by the names it has there. */
export interface InkApp {
  exit(error?: Error): void
  suspendTerminal(): Promise<{ resume(): Promise<void> }>
}

/** What only the terminal can do for a context. */
export type TerminalActions = Pick<
  PlaygroundContext,
  'exit' | 'redraw' | 'stop' | 'suspend' | 'edit'
>

export interface TerminalControl extends TerminalActions {
  /** Told once the tree is mounted; before that nothing can be done. */
  attach(app: InkApp): void
  /** Stop this process alone: the signal came to it alone, or to each of the job. */
  stopAlone(): void
  /** Whether another program has the terminal. */
  isLent(): boolean
}

interface ControlOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly mouse: boolean
  write(text: string): void
  /** Stop the process, or its whole job as a terminal's Ctrl-Z does; resolves when it goes on. */
  stopProcess(group: boolean): Promise<void>
}

/** Lends the terminal to others and takes it back; one borrower at a time, others wait. */
export function createTerminalControl(options: ControlOptions): TerminalControl {
  const { env, mouse, write, stopProcess } = options
  let app: InkApp | null = null
  let borrowers = 0
  const inTurn = inTurns()
  const lend = async (app: InkApp, program: () => Promise<void>) => {
    if (mouse) write(MOUSE_OFF)
    const { resume } = await app.suspendTerminal()
    try {
      await program()
    } finally {
      await resume()
      if (mouse) write(MOUSE_ON)
    }
  }
  const suspend = async (program: () => Promise<void>) => {
    if (app === null) return
    borrowers += 1
    const mounted = app
    try {
      await inTurn(() => lend(mounted, program))
    } finally {
      borrowers -= 1
    }
  }
  return {
    attach(mounted) {
      app = mounted
      if (mouse) write(MOUSE_ON)
    },
    isLent: () => borrowers > 0,
    exit: () => app?.exit(),
    redraw() {
      // Whoever has the terminal gives it back, and then it is drawn anew.
      if (borrowers === 0) void suspend(async () => {})
    },
    stop: () => void suspend(() => stopProcess(true)),
    stopAlone: () => void suspend(() => stopProcess(false)),
    suspend,
    edit(text, suffix) {
      return editInEditor({ text, suffix, env, suspend })
    },
  }
}
