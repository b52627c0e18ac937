/** How hard a part tries. */
interface TortureOptions {
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

/** What a part came to, and under what: an element of `parts` in `bench/results/torture.json`. */
export interface PartRecord extends TortureResult {
  readonly name: string
  readonly claim: string
  readonly date: string
  readonly seed: number
  readonly scale: number
  readonly seconds: number
}

/** Numbers from 0 up to and without `sides`, the same ones for the same seed. */
export type Dice = (sides: number) => number

/** Dice that fall the same way for a seed (a xorshift of 32 bits). */
export function createDice(seed: number): Dice {
  let bits = (seed ^ 0x9e37_79b9) | 0 || 1
  return (sides) => {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    return (bits >>> 0) % sides
  }
}
