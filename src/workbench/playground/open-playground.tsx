import { Box, useInput, usePaste, useWindowSize } from 'ink'
import { type ReactElement, type ReactNode, useEffect } from 'react'
import type { VirtualWorkspace } from '../../entries/index.ts'
import { Line, type Theme } from '../../entries/ink-views.ts'
import type { ScreenSession, SessionScreen } from './session-screen.tsx'
import { readStrokes } from './keys/key-name.ts'
import { holdTerminal, type TerminalOptions } from './terminal/hold-terminal.tsx'

/** A terminal, and what to open on it. */
export interface PlaygroundRequest extends Pick<
  TerminalOptions,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'inline' | 'mouse' | 'screenReader'
> {
  readonly theme: Theme
  /** Words for the session to open. */
  readonly name: string
  /**
   * Opens the session while the screen says so.
   *
   * @param onProgress shows a line below the name
   */
  open(onProgress: (text: string) => void): Promise<ScreenSession>
  /** Called with the open workspace before a signal ends the process, which then closes it. */
  onEnded?(workspace: VirtualWorkspace): Promise<void>
}

/**
 * Shows the playground on a terminal. When the user leaves, it resolves with its last workspace, which
 * is still open, and the terminal is restored. Rejects with the error of `open` or of a component.
 */
export async function openPlayground(request: PlaygroundRequest): Promise<VirtualWorkspace> {
  const { name, inline, screenReader } = request
  // Screen readers have no words for most of the other marks.
  const theme = screenReader ? { ...request.theme, ascii: true } : request.theme
  let screen: SessionScreen | undefined
  let progress = ''
  /** Keys that were pressed before the screen of the session handles them; null from then on. */
  let early: ((screen: SessionScreen) => void)[] | null = []
  const terminal = holdTerminal({
    ...request,
    onMouse: (event) => screen?.onMouse(event),
    onLine: (line) => screen?.onLine(line),
    async close() {
      const workspace = screen?.workspace()
      if (workspace === undefined) return
      try {
        await request.onEnded?.(workspace)
      } finally {
        await workspace.close()
      }
    },
  })
  /** The keys that do not wait for the session. */
  const atOnce = new Map([
    ['ctrl+c', () => void process.kill(process.pid, 'SIGINT')],
    ['ctrl+z', terminal.actions.stop],
    ['ctrl+l', terminal.actions.redraw],
  ])
  const keys = {
    onStrokes(strokes: readonly string[]) {
      const isOpening = screen === undefined
      if (isOpening) for (const stroke of strokes) atOnce.get(stroke)?.()
      const kept = strokes.filter((stroke) => !isOpening || !atOnce.has(stroke))
      early?.push(({ onStrokes }) => onStrokes(kept))
    },
    onPaste(text: string) {
      early?.push(({ onPaste }) => onPaste(text))
    },
    onOpened() {
      const typed = early ?? []
      early = null
      for (const pass of typed) if (screen !== undefined) pass(screen)
    },
  }
  const tree = () => (
    <OpeningScreen {...{ name, progress, theme, ...keys }} blank={inline || screenReader}>
      {screen?.tree ?? null}
    </OpeningScreen>
  )
  const left = terminal.show(tree())
  // An error of a component is reported when it is awaited below.
  left.catch(() => {})
  try {
    const [session, { openScreen }] = await Promise.all([
      request.open((text) => {
        progress = text
        terminal.redraw(tree())
      }),
      import('./session-screen.tsx'),
    ])
    screen = await openScreen(session, terminal.actions, { theme, inline })
  } catch (error) {
    terminal.leave()
    await left
    throw error
  }
  try {
    // Code that was run to open it may have written on the screen, such as a program that it started.
    terminal.clear()
    terminal.redraw(tree())
    screen.watch()
    await left
  } finally {
    screen.close()
  }
  return screen.workspace()
}

interface OpeningScreenProps {
  readonly name: string
  /** The count of what was read, when that takes long. */
  readonly progress: string
  readonly theme: Theme
  /** Draws nothing before the session is open. */
  readonly blank: boolean
  onStrokes(strokes: readonly string[]): void
  onPaste(text: string): void
  /** Called when the screen of the session handles the keys. */
  onOpened(): void
  /** The screen of the session; null before it is open. */
  readonly children: ReactNode
}

/** The screen until a session is open, and then that of the session. Passes on the keys that are pressed before. */
function OpeningScreen(props: OpeningScreenProps): ReactElement {
  const { name, progress, theme, blank, onStrokes, onPaste, onOpened, children } = props
  const { columns, rows } = useWindowSize()
  const isOpen = children !== null
  // Stays active, so that the terminal keeps its mode between the two screens.
  useInput((input, key) => onStrokes(readStrokes(input, key)))
  usePaste(onPaste)
  // Effects of children come first.
  useEffect(() => {
    if (isOpen) onOpened()
  }, [isOpen, onOpened])
  if (isOpen || blank) return <>{children}</>
  const line = (text: string, style: { readonly bold?: true; readonly dim?: true }) => (
    <Line theme={theme} width={columns} spans={[{ text, ...style }]} />
  )
  return (
    <Box flexDirection="column" flexShrink={0} width={columns} height={rows}>
      {line(`Opening ${name}`, { bold: true })}
      {line(progress, { dim: true })}
      <Box flexGrow={1} />
      {line('Ctrl-C Quit', { dim: true })}
    </Box>
  )
}
