/** The size of a run. */
interface TortureOptions {
  /** The seed of all choices of the part; printed, so that a run can be repeated. */
  readonly seed: number
  /** The part of the full run: 1 is all of it, 0.01 a hundredth. */
  readonly scale: number
  /** Milliseconds after which a part ends early and reports how far it got. */
  readonly forMs: number
}

/** The result of one part. */
export interface TortureResult {
  /** The amounts and results, in words that are the name of a row, in the order in which they are printed. */
  readonly figures: Readonly<Record<string, number | string>>
  /** The faults, with enough detail to repeat them; empty when there were none. */
  readonly failures: readonly string[]
  /** The part of the run that there was time for; all of it when absent. */
  readonly done?: number
  /** The reason why some of it could not run on this machine. */
  readonly skipped?: string
}

/** One way to damage a session. */
export interface TorturePart {
  /** For `--only`. */
  readonly name: string
  /** The guarantee that the part checks, as one sentence. */
  readonly claim: string
  run(options: TortureOptions): Promise<TortureResult>
}

/** The result of a part, with its options: an element of `parts` in `bench/results/torture.json`. */
export interface PartRecord extends TortureResult {
  readonly name: string
  readonly claim: string
  readonly date: string
  /** The commit that was checked out; absent in older records. */
  readonly commit?: string
  readonly seed: number
  readonly scale: number
  readonly seconds: number
}

/** Returns numbers from 0 up to and without `sides`, the same ones for the same seed. */
export type Dice = (sides: number) => number

/** Returns dice with the same sequence for the same seed (a xorshift of 32 bits). */
export function createDice(seed: number): Dice {
  let bits = (seed ^ 0x9e37_79b9) | 0 || 1
  return (sides) => {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    return (bits >>> 0) % sides
  }
}
