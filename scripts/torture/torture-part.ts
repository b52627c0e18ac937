/** How hard a part tries. */
export interface TortureOptions {
  /** What all choices of the part follow from; printed, so that a run can be repeated. */
  readonly seed: number
  /** Part of the full run: 1 is all of it, 0.01 a hundredth. */
  readonly scale: number
  /** Milliseconds after which a part that goes on and on ends early, and says how far it came. */
  readonly forMs: number
}

/** What one part came to. */
export interface TortureResult {
  /** What was done and found, in words that stand as a row's name, in the order they are told. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What went wrong, enough of it to be repeated; empty when all held. */
  readonly failures: readonly string[]
  /** Part of the run that there was time for; all of it when absent. */
  readonly done?: number
  /** Why some of it could not be tried on this machine. */
  readonly skipped?: string
}

/** One way to hurt a session. */
export interface TorturePart {
  /** For `--only`. */
  readonly name: string
  /** What holds when there are no failures, as one sentence. */
  readonly claim: string
  run(options: TortureOptions): Promise<TortureResult>
}
