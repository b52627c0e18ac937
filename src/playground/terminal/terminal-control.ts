import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialQueue } from '../../kernel/serial-queue.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

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
  const inTurn = serialQueue()
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

interface EditRequest {
  readonly text: string
  /** The end of the file's name, such as `.json`, by which editors choose how to colour. */
  readonly suffix: string
  readonly env: Readonly<Record<string, string | undefined>>
  suspend(program: () => Promise<void>): Promise<void>
}

/**
 * Edit a text with `$VISUAL` or `$EDITOR`, as git does: a command line of the shell, to which the
 * file is added. Null without an editor, and when it fails or is left with an error.
 */
async function editInEditor(request: EditRequest): Promise<string | null> {
  const { text, suffix, env, suspend } = request
  const editor = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one !== '')
  if (editor === undefined) return null
  const folder = await mkdtemp(join(tmpdir(), 'loadout-'))
  const file = join(folder, `edit${suffix}`)
  try {
    await writeFile(file, text, { mode: 0o600 })
    let code: unknown = null
    await suspend(async () => {
      code = await run(editor, file)
    })
    return code === 0 ? await readFile(file, 'utf8') : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exit code; null where it could not be started or was ended by a signal. */
async function run(editor: string, file: string): Promise<unknown> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' })
  try {
    const [code] = await once(child, 'close')
    return code
  } catch {
    return null
  }
}

/** What has to be given back. */
interface BorrowedTerminal {
  /** Writes at once, in an exit handler too. */
  writeSync(text: string): void
  setRawMode(isRaw: boolean): void
  readonly alternateScreen: boolean
}

/**
 * The one clean-up, for every ending: raw mode off and every mode of the screen off.
 *
 * Works once, so that what is printed afterwards stays where it is (leaving an alternate screen
 * moves the cursor). Never throws: of a terminal that is gone there is nothing to give back.
 */
export function createRestore(terminal: BorrowedTerminal): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    attempt(() => terminal.writeSync(modesOff(terminal.alternateScreen)))
    attempt(() => terminal.setRawMode(false))
  }
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // The window was closed.
  }
}

/** Clicks and the wheel, told in the SGR form, which has no limit of columns. */
const MOUSE_ON = '\x1b[?1000h\x1b[?1006h'

const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l'

/** What a half-drawn frame may have left: synchronised output, paste marks, a colour, no cursor. */
const DRAWING_OFF = '\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?25h'

const ALTERNATE_SCREEN_OFF = '\x1b[?1049l'

/** Everything that puts a terminal back to how a shell expects it. */
function modesOff(alternateScreen: boolean): string {
  return MOUSE_OFF + DRAWING_OFF + (alternateScreen ? ALTERNATE_SCREEN_OFF : '')
}
