/** The size of a run. */
export interface WireOptions {
  /** Sessions for each driver. */
  readonly sessions: number
  /** The seed of the first session; the next ones follow. */
  readonly seed: number
}

/** The result of one part. */
export interface WireResult {
  /** One line of a table, in the order of the part's columns. */
  readonly rows: readonly (readonly (string | number)[])[]
  /** The faults, with enough detail to repeat them; empty when there were none. */
  readonly failures: readonly string[]
  /** Bodies of requests that the server checked, and those that the schemas or the rules refused. */
  readonly bodies?: { readonly checked: number; readonly refused: number }
}

/** One figure about what adapters send. */
export interface WirePart {
  /** For `--only`. Parts with the same text before a colon are one table. */
  readonly name: string
  /** The measurement, as one sentence. */
  readonly claim: string
  readonly columns: readonly string[]
  run(options: WireOptions): Promise<WireResult>
}

/** The result of a part, with its options: an element of `parts` in `bench/results/wires.json`. */
export interface WireRecord extends WireResult, WireOptions {
  readonly name: string
  readonly claim: string
  readonly columns: readonly string[]
  readonly date: string
  readonly seconds: number
}

/** Writes a part of a whole in percent. */
export function share(part: number, whole: number): string {
  return `${Number(((100 * part) / whole).toFixed(2))} %`
}
