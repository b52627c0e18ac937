import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** The steps on the terminal, one after the other. */
export type TerminalStep =
  | { readonly wait: string }
  | { readonly type: string }
  | { readonly signal: string }
  /** So many stops so far. */
  | { readonly stopped: number }
  | { readonly continue: true }
  | { readonly close: true }
  /** Keeps what was written, when nothing more comes for so many milliseconds. */
  | { readonly keep: number }

interface TerminalRun {
  /** `stty -a` before, each time the program was stopped, and after; null of a closed window. */
  readonly before: string
  readonly stopped: readonly string[]
  readonly after: string | null
  readonly ended: { readonly ended: 'exit' | 'signal'; readonly by: number | string } | null
  /** Steps that were not reached. */
  readonly left: readonly TerminalStep[]
  readonly output: string
  readonly kept: readonly string[]
}

/** Pseudo-terminals are made by Python, which Node has no means for. */
export const hasTerminals =
  process.platform !== 'win32' &&
  spawnSync('python3', ['-c', 'import pty, termios']).status === 0 &&
  spawnSync('stty', ['--version']).error === undefined

interface TerminalOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

/** Run a program as the job of a shell on a real terminal. */
export async function runInTerminal(
  command: readonly string[],
  steps: readonly TerminalStep[],
  { cwd, env = {}, columns = 100, rows = 30 }: TerminalOptions,
): Promise<TerminalRun> {
  const { PATH = '' } = process.env
  const environment = { PATH, HOME: cwd, TERM: 'xterm-256color', ...env }
  const script = `${import.meta.dirname}/run-in-terminal.py`
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  // A program that writes nothing for so long has stopped; on a busy machine it only waits for its turn.
  const limits = { columns, rows, seconds: 120 }
  child.stdin.end(JSON.stringify({ command, steps, cwd, environment, ...limits }))
  return JSON.parse(await text(child.stdout)) as TerminalRun
}
