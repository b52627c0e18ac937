import type { TokenCounter } from '../../kernel/token-counter.ts'

/** Where text goes. */
export interface TextSink {
  write(text: string): unknown
  /** It is a terminal, where a line may be written over. */
  readonly isTTY?: boolean
}

/** The terminal itself, for a screen that takes all of it. */
export interface CliTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  readonly stderr: NodeJS.WriteStream & { readonly fd: number }
}

/** Everything of the process that a command may touch, so that tests bring their own. */
export interface ProcessContext {
  readonly stdout: TextSink
  readonly stderr: TextSink
  /** The standard input, piece by piece. */
  readonly stdin: AsyncIterable<string | Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here, and skills are looked for here. */
  readonly cwd: string
  /** The user's home, searched for skills when no path is given; null leaves it out. */
  readonly home: string | null
  /** Where trust is kept; the user's configuration folder when absent. */
  readonly trustFile?: string
  /** Counts tokens, by what earlier runs have counted; the usual counter when absent. */
  readonly counter?: () => Promise<TokenCounter>
  /** Standard output is a terminal: only then are lines cut to `columns`. */
  readonly isTerminal: boolean
  readonly columns: number
  /** Both ends of a terminal that a screen can be opened on; absent when one end is something else. */
  readonly terminal?: CliTerminal
  readonly colour: boolean
  /** Be told of an interrupt (Ctrl-C) once, in place of being ended by it; returns what ends that. */
  onInterrupt(listener: () => void): () => void
  /** Resolves when what was written is out; rejects when it could not be. */
  finish(): Promise<void>
}

/** What a command is run with. */
export interface CliContext extends ProcessContext {
  /** Do this when the command is over, however it ended; what was asked for last is done first. */
  onEnd(work: () => Promise<void>): void
}
