import { Readable, Writable } from 'node:stream'
import { render } from 'ink'
import type { ReactNode } from 'react'
import type { Theme } from '../../../entries/ink-views.ts'
import { createUiStore, type UiStore } from '../context/ui-state.ts'
import { DIALOGS } from '../dialogs/dialogs.tsx'
import { handleStrokes } from '../keys/handle-strokes.ts'
import { PANES } from '../panes/panes.ts'
import { buildKeyTable } from '../screen/build-key-table.ts'
import { Screen } from '../screen/screen.tsx'
import { type ContextParts, createContext } from '../session/create-context.ts'
import { readFrame, type StyledFrame } from './read-frame.ts'
import { NO_TERMINAL } from '../terminal/terminal-control.ts'

export interface FrameRequest extends Pick<
  ContextParts,
  'workspace' | 'counter' | 'live' | 'at' | 'observe' | 'kept' | 'folders'
> {
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  /** Keys to press first, as the key table names them. */
  readonly strokes: readonly string[]
}

/** Draws the playground as a terminal of this size would show it, without a terminal. */
export async function takeFrame(request: FrameRequest): Promise<StyledFrame> {
  const { workspace, counter, live, at, observe, kept, folders } = request
  const { columns, rows, theme, strokes } = request
  const table = buildKeyTable(PANES, DIALOGS)
  const ui = createUiStore(PANES[0]?.id ?? '')
  ui.setState({ size: { columns, rows } })
  const { context, close } = await createContext({
    workspace,
    ui,
    counter,
    live,
    observe,
    kept,
    folders,
    ...(at !== undefined && { at }),
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  try {
    const draw = async () => {
      await whenIdle(ui)
      await context.readNext()
      const screen = <Screen {...{ context, table, theme }} size={ui.getState().size} />
      const { history, texts, answers } = context
      let version = texts.version()
      let drawn = await drawOnce(screen, columns, rows)
      // A drawing asks for the history and the texts, which may be there before it ends; a text may name another one.
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const reading = round === 0 ? Promise.all([history.reading(), answers.reading()]) : null
        await Promise.all([reading, texts.reading()])
        if (reading === null && texts.version() === version) break
        version = texts.version()
        drawn = await drawOnce(screen, columns, rows)
      }
      return drawn
    }
    // Also drawn before keys are pressed: the meaning of keys depends on the screen.
    let frame = await draw()
    for (const stroke of strokes) {
      await handleStrokes([stroke], context, table)
      frame = await draw()
    }
    return readFrame(frame, columns)
  } finally {
    close()
  }
}

/** Drawings of one frame, each with what the one before asked for. */
const MOST_ROUNDS = 3

/** Resolves when no action is in progress, such as reading an earlier moment. */
function whenIdle(ui: UiStore): Promise<void> {
  if (ui.getState().busy === null) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = ui.subscribe(({ busy }) => {
      if (busy !== null) return
      stop()
      resolve()
    })
  })
}

/** Renders a tree and returns its last frame. */
async function drawOnce(tree: ReactNode, columns: number, rows: number): Promise<string> {
  let frame = ''
  const stdout = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk: unknown, _encoding, done) {
        // In Ink's debug mode each write is a frame, except for changes of modes.
        if (String(chunk).includes('\n')) frame = String(chunk)
        done()
      },
    }),
    { columns, rows, isTTY: false },
  )
  const stdin = Object.assign(new Readable({ read() {} }), {
    isTTY: true,
    setRawMode() {},
    ref() {},
    unref() {},
  })
  const instance = render(tree, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  await instance.waitUntilRenderFlush()
  const drawn = frame
  instance.unmount()
  await instance.waitUntilExit()
  return drawn
}
