import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { serialQueue } from '../../../entries/kit.ts'

/** The functions that only the terminal can provide. */
export interface TerminalActions {
  /** Leaves the screen. */
  exit(): void
  /** Redraws the complete screen, after something else wrote on it. */
  redraw(): void
  /** Suspends the process as Ctrl-Z does, and redraws when it continues. */
  stop(): void
  /** Lends the terminal to another program, such as `$EDITOR`. */
  suspend(program: () => Promise<void>): Promise<void>
  /** Edits a text in `$EDITOR`; null when there is no editor or it failed. */
  edit(text: string, suffix: string): Promise<string | null>
  /** Puts a text into the clipboard of the terminal; false where there is no terminal to ask. */
  copy(text: string): boolean
  /** Opens a file in `$EDITOR`, at a line if the editor is known; false when there is no editor or it failed. */
  open(file: string, line?: number): Promise<boolean>
}

/** The actions of a screen without a terminal of its own, such as a part of an application: they do nothing. */
export const NO_TERMINAL: TerminalActions = {
  exit() {},
  redraw() {},
  stop() {},
  suspend: async () => {},
  edit: async () => null,
  copy: () => false,
  open: async () => false,
}

/** The part of Ink's app that is used, with its names. */
export interface InkApp {
  exit(error?: Error): void
  suspendTerminal(): Promise<{ resume(): Promise<void> }>
}

export interface TerminalControl extends TerminalActions {
  /** Called once the tree is mounted; before that, actions have no effect. */
  attach(app: InkApp): void
  /** Suspends this process alone, not its job: each process of the job receives the signal itself. */
  stopAlone(): void
  /** Returns true while another program has the terminal. */
  isLent(): boolean
}

interface ControlOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly mouse: boolean
  /** Let the terminal break lines that it finds too long. */
  readonly wrap: boolean
  write(text: string): void
  /** Suspends the process, or its job as Ctrl-Z does; resolves when it continues. */
  stopProcess(group: boolean): Promise<void>
}

/** Lends the terminal to other programs, one at a time; others wait. */
export function createTerminalControl(options: ControlOptions): TerminalControl {
  const { env, mouse, wrap, write, stopProcess } = options
  let app: InkApp | null = null
  let borrowers = 0
  const queue = serialQueue()
  const lend = async (app: InkApp, program: () => Promise<void>) => {
    if (mouse) write(MOUSE_OFF)
    if (!wrap) write(WRAP_ON)
    const { resume } = await app.suspendTerminal()
    try {
      await program()
    } finally {
      if (!wrap) write(WRAP_OFF)
      await resume()
      if (mouse) write(MOUSE_ON)
    }
  }
  const suspend = async (program: () => Promise<void>) => {
    if (app === null) return
    borrowers += 1
    const mounted = app
    try {
      await queue(() => lend(mounted, program))
    } finally {
      borrowers -= 1
    }
  }
  return {
    attach(mounted) {
      app = mounted
      if (!wrap) write(WRAP_OFF)
      if (mouse) write(MOUSE_ON)
    },
    isLent: () => borrowers > 0,
    exit: () => app?.exit(),
    redraw() {
      // A program that has the terminal returns it, and that redraws the screen.
      if (borrowers === 0) void suspend(async () => {})
    },
    stop: () => void suspend(() => stopProcess(true)),
    stopAlone: () => void suspend(() => stopProcess(false)),
    suspend,
    edit: (text, suffix) => editInEditor({ text, suffix, env, suspend }),
    copy(text) {
      if (app === null || borrowers > 0) return false
      write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
      return true
    },
    open: (file, line) => openInEditor({ file, line, env, suspend }),
  }
}

interface EditorRequest {
  readonly env: Readonly<Record<string, string | undefined>>
  suspend(program: () => Promise<void>): Promise<void>
}

/**
 * Opens a file with `$VISUAL` or `$EDITOR`, as git does: a shell command line with the file as its
 * last argument. Returns false without an editor, and when it fails or exits with an error.
 */
export async function openInEditor({
  file,
  line,
  env,
  suspend,
}: EditorRequest & {
  readonly file: string
  readonly line?: number | undefined
}): Promise<boolean> {
  const editor = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one !== '')
  if (editor === undefined) return false
  let code: unknown = null
  await suspend(async () => {
    // An absolute path is no option, whatever the file is called.
    code = await run(editor, argumentsAt(editor, resolve(file), line))
  })
  return code === 0
}

/** Editors that take `+<line>` before the path, `<path>:<line>`, and `--goto <path>:<line>`. */
const LINE_BEFORE_PATH =
  /^(?:n?vim?|view|gvim|nano|pico|emacs|emacsclient|kak|micro|joe|ne|mg|jed)$/u
const LINE_IN_PATH = /^(?:hx|helix|subl|zed)$/u
const WITH_GOTO = /^(?:code|code-insiders|codium|cursor|windsurf)$/u

/** Returns the arguments that open a file at a line. An editor that is not known gets the file alone. */
function argumentsAt(editor: string, file: string, line: number | undefined): readonly string[] {
  const [command = ''] = editor.trim().split(/\s+/u)
  const name = basename(command).replace(/\.(?:exe|cmd)$/iu, '')
  if (line === undefined) return [file]
  if (LINE_BEFORE_PATH.test(name)) return [`+${line}`, file]
  if (LINE_IN_PATH.test(name)) return [`${file}:${line}`]
  return WITH_GOTO.test(name) ? ['--goto', `${file}:${line}`] : [file]
}

/**
 * Edits a text in a file of its own. Returns null when that cannot be opened.
 *
 * @param suffix the file extension, such as `.json`, by which editors choose the syntax
 */
async function editInEditor({
  text,
  suffix,
  ...request
}: EditorRequest & Readonly<Record<'text' | 'suffix', string>>): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-'))
  const file = join(folder, `edit${suffix}`)
  try {
    await writeFile(file, text, { mode: 0o600 })
    return (await openInEditor({ ...request, file })) ? await readFile(file, 'utf8') : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the exit code; null when it could not be started or was ended by a signal. */
async function run(editor: string, words: readonly string[]): Promise<unknown> {
  const child =
    process.platform === 'win32'
      ? spawn([editor, ...words.map((word) => `"${word}"`)].join(' '), {
          shell: true,
          stdio: 'inherit',
        })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, ...words], { stdio: 'inherit' })
  try {
    const [code] = await once(child, 'close')
    return code
  } catch {
    return null
  }
}

/**
 * Creates the clean-up for every way of exiting: it switches off raw mode and all screen modes.
 *
 * Works once, so that later output stays in place (leaving the alternate screen moves the cursor).
 * Never throws: a closed terminal has nothing to restore.
 */
export function createRestore(terminal: {
  /** Writes immediately, also in an exit handler. */
  writeSync(text: string): void
  setRawMode(isRaw: boolean): void
  readonly alternateScreen: boolean
}): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    // The state that a shell expects.
    const screen = terminal.alternateScreen ? ALTERNATE_SCREEN_OFF : ''
    attempt(() => terminal.writeSync(MOUSE_OFF + DRAWING_OFF + screen + WRAP_ON))
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

/** Reports clicks and the wheel in SGR format, which has no limit of columns. */
const MOUSE_ON = '\x1b[?1000h\x1b[?1006h'

const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l'

/**
 * Cuts a line at the edge of the screen. Terminals do not agree on the width of emoji that are joined of others: a line
 * that is too long for one of them would be broken, and all rows of the screen would be elsewhere.
 */
const WRAP_OFF = '\x1b[?7l'

const WRAP_ON = '\x1b[?7h'

/** Ends modes that a half-drawn frame may leave on: synchronised output, paste marks, colour, no cursor. */
const DRAWING_OFF = '\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?25h'

const ALTERNATE_SCREEN_OFF = '\x1b[?1049l'
