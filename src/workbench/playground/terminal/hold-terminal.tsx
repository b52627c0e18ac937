import { writeSync } from 'node:fs'
import { type Instance, render, useApp } from 'ink'
import { Component, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { sanitiseText } from '../../../entries/kit.ts'
import {
  createRestore,
  createTerminalControl,
  type InkApp,
  type TerminalActions,
  type TerminalControl,
} from './terminal-control.ts'
import { type MouseEvent, TerminalInput, type TtyInput } from './terminal-input.ts'
import { captureOutput, TerminalOutput } from './terminal-output.ts'
import { stopProcess, watchEndings } from './watch-endings.ts'

/** Both ends of a terminal, and the way to use it. */
export interface TerminalOptions {
  readonly stdin: TtyInput
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Draw below the shell prompt, not on the alternate screen. */
  readonly inline: boolean
  /** Receive clicks and the wheel, on the alternate screen only. */
  readonly mouse: boolean
  readonly screenReader: boolean
  onMouse(event: MouseEvent): void
  /** Receives a line that other code wrote while the screen was open. */
  onLine(line: string): void
  /** Closes open resources before a signal ends the process. */
  close(): Promise<void>
}

/** A terminal that is in use until its tree exits. */
interface HeldTerminal {
  /** For the context; without effect before the tree is shown. */
  readonly actions: TerminalActions
  /** Has the current size, and emits `resize`. */
  readonly output: TerminalOutput
  /** Resolves when the tree exits and the terminal is restored; rejects with a component's error. */
  show(tree: ReactNode): Promise<void>
  /** Draws another tree in place of the one that is shown. Components of both keep their state. */
  redraw(tree: ReactNode): void
  /** Clears the screen, of everything that was written on it. The next frame is a complete one. */
  clear(): void
  /** Exits the tree that is shown. */
  leave(): void
}

/** Prepares the use of a terminal; nothing changes before `show`. */
export function holdTerminal(options: TerminalOptions): HeldTerminal {
  const { stdin, stdout, stderr, env, inline, mouse, screenReader } = options
  const output = new TerminalOutput(stdout)
  const input = new TerminalInput(stdin, {
    onMouse: options.onMouse,
    onGone: () => endings?.end('SIGHUP'),
  })
  const control = createTerminalControl({
    env,
    // Inline, or for a screen reader, rows are not where the layout places them.
    mouse: mouse && !inline && !screenReader,
    // What is read aloud is no layout.
    wrap: screenReader,
    write: (text) => output.write(text),
    stopProcess,
  })
  const restore = createRestore({
    writeSync: (text) => writeSync(stdout.fd, text),
    setRawMode: (isRaw) => input.setRawMode(isRaw),
    alternateScreen: !inline,
  })
  let instance: Instance | undefined
  let endings: ReturnType<typeof watchEndings> | undefined
  const clear = () => {
    // A program that has the terminal returns it, and that draws a complete frame.
    if (control.isLent()) return
    instance?.clear()
    if (!inline) output.write(CLEAR)
  }
  /**
   * Draws a complete frame after the tree was drawn at another size. The terminal may have broken the lines of the
   * frames before, and the incremental drawing relies on them.
   */
  const repaint = async () => {
    await instance?.waitUntilRenderFlush()
    if (control.isLent()) return
    clear()
    output.emit('resize', REPAINT)
  }
  const mounted = (tree: ReactNode) => <Mounted {...{ control, output, repaint }}>{tree}</Mounted>
  return {
    actions: control,
    output,
    redraw: (tree) => instance?.rerender(mounted(tree)),
    clear,
    leave: () => instance?.unmount(),
    async show(tree) {
      const release = captureOutput({ stdout, stderr }, options.onLine)
      let hasLeft = false
      const leave = () => {
        if (hasLeft) return
        hasLeft = true
        try {
          instance?.unmount()
        } finally {
          restore()
          for (const line of release()) stderr.write(`${sanitiseText(line)}\n`)
        }
      }
      endings = watchEndings({
        leave,
        close: options.close,
        stop: control.stopAlone,
        redraw: control.redraw,
        isLent: control.isLent,
      })
      try {
        // Before anything is drawn, so that keys work as soon as the screen is visible.
        input.setRawMode(true)
        instance = render(mounted(tree), {
          stdin: input as unknown as NodeJS.ReadStream,
          stdout: output as unknown as NodeJS.WriteStream,
          stderr: output as unknown as NodeJS.WriteStream,
          interactive: true,
          alternateScreen: !inline,
          incrementalRendering: !screenReader,
          isScreenReaderEnabled: screenReader,
          exitOnCtrlC: false,
          // `captureOutput` does this, and sanitises the output.
          patchConsole: false,
          maxFps: 60,
        })
        await instance.waitUntilExit()
      } finally {
        leave()
        endings.unwatch()
        output.destroy()
      }
    },
  }
}

/** Clears the screen, and moves the cursor to its upper left. */
const CLEAR = '\x1b[2J\x1b[H'

/** Marks the event that only draws the current size again. */
const REPAINT = 'repaint'

interface MountedProps {
  readonly control: TerminalControl
  readonly output: TerminalOutput
  /** Draws a complete frame. */
  repaint(): Promise<void>
  readonly children: ReactNode
}

/** Passes Ink's app to the control, and errors of components to Ink's exit; repaints after a new size. */
function Mounted({ control, output, repaint, children }: MountedProps): ReactElement {
  const app: InkApp = useApp()
  const [resizes, setResizes] = useState(0)
  useEffect(() => {
    const count = (what?: string) => what === REPAINT || setResizes((before) => before + 1)
    output.on('resize', count)
    return () => void output.off('resize', count)
  }, [output])
  // React commits this together with the new size.
  useEffect(() => {
    if (resizes > 0) void repaint()
  }, [resizes, repaint])
  useEffect(() => control.attach(app), [control, app])
  return <ErrorBoundary onError={(error) => app.exit(error)}>{children}</ErrorBoundary>
}

/** Reports the error of a component and draws nothing: the terminal is restored first. */
class ErrorBoundary extends Component<
  { readonly children: ReactNode; onError(error: Error): void },
  { readonly failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error instanceof Error ? error : new Error(String(error)))
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
