import type { TokenCounter } from '../../../entries/index.ts'

/** Everything a command may use of its process, so that tests can bring their own. */
export interface ProcessContext {
  readonly stdout: TextSink
  readonly stderr: TextSink
  /** Standard input, in chunks. */
  readonly stdin: AsyncIterable<string | Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths are resolved against this folder, and skills are searched for in it. */
  readonly cwd: string
  /** The user's home, searched for skills when no path is given; null skips it. */
  readonly home: string | null
  /** The file that stores trust; by default in the user's configuration folder. */
  readonly trustFile?: string
  /** Opens a counter that reuses the counts of earlier runs; absent: counts are not cached. */
  readonly counter?: () => Promise<TokenCounter>
  /** True when standard output is a terminal: only then are lines cut to `columns`. */
  readonly isTerminal: boolean
  readonly columns: number
  /** Set when input and output are both a terminal, so that a screen can be opened on it. */
  readonly terminal?: CliTerminal
  readonly colour: boolean
  /** Handles the next interrupt (Ctrl-C) instead of ending the process; returns its undo. */
  onInterrupt(listener: () => void): () => void
  /** Resolves when all output is flushed; rejects when it could not be written. */
  finish(): Promise<void>
}

/** The context that a command runs with. */
export interface CliContext extends ProcessContext {
  /** Shows how far slow work is on the screen that is open; on stderr when absent. */
  readonly onProgress?: (text: string) => void
  /** Runs work after the command, whether it succeeded or failed; last registered, first run. */
  onEnd(work: () => Promise<void>): void
}

/** A destination for text. */
export interface TextSink {
  write(text: string): unknown
  /** True for a terminal, where a line can be overwritten. */
  readonly isTTY?: boolean
}

/** The terminal itself, for a screen that uses all of it. */
export interface CliTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  readonly stderr: NodeJS.WriteStream & { readonly fd: number }
}
