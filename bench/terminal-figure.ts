import { samplesOf, type Samples } from './take-samples.ts'

type TerminalUnit = 'ms' | 'bytes' | '%' | 'frames' | 'times'

/** The measurements on a terminal, in the order in which they are printed. */
export const TERMINAL_TARGETS = {
  'skills: cursor moved by a row': { unit: 'ms', target: 16, of: 'p95' },
  'skills: letter typed into the filter': { unit: 'ms', target: 16, of: 'p95' },
  'skills: activated by space': { unit: 'ms', target: 16, of: 'p95' },
  'skills: deactivated by space': { unit: 'ms', target: 16, of: 'p95' },
  'tools: cursor moved by a row': { unit: 'ms', target: 16, of: 'p95' },
  'tools: letter typed into the filter': { unit: 'ms', target: 16, of: 'p95' },
  'one changed row of 2,000, time': { unit: 'ms', target: 3, of: 'median' },
  'one changed row of 2,000, bytes': { unit: 'bytes', target: 500, of: 'median' },
  'streaming 200 tokens a second, share of one core': { unit: '%', target: 30, of: 'median' },
  'streaming 200 tokens a second, frames a second': { unit: 'frames', target: 30, of: 'median' },
  'first frame, from the shell': { unit: 'ms', target: null, of: 'median' },
  'first frame, times that of Ink': { unit: 'times', target: 1.6, of: 'median' },
  'frame with the skills, from the shell': { unit: 'ms', target: 400, of: 'median' },
  'frame with the skills, times that of Ink': { unit: 'times', target: 1.6, of: 'median' },
  'first frame of Ink with one line': { unit: 'ms', target: null, of: 'median' },
  'the prompt without a screen, from the shell': { unit: 'ms', target: null, of: 'median' },
  'Node itself, from the shell': { unit: 'ms', target: null, of: 'median' },
} as const satisfies Record<
  string,
  { unit: TerminalUnit; target: number | null; of: keyof Samples }
>

export type TerminalWhat = keyof typeof TERMINAL_TARGETS

/** One thing measured on one screen, or drawn in one way. */
export interface TerminalFigure extends Samples {
  readonly what: TerminalWhat
  /** The size of the screen, or the program that drew it. */
  readonly on: string
  readonly unit: TerminalUnit
  /** The limit of `of`; null where there is none. */
  readonly target: number | null
  readonly of: 'median' | 'p95'
  /** As a share of the target: met up to 1. */
  readonly ofTarget: number | null
}

/** Adds the target to values. Values that are only for comparison have none. */
export function terminalFigure(
  what: TerminalWhat,
  on: string,
  values: readonly number[],
  { isPeer = false } = {},
): TerminalFigure {
  const samples = samplesOf(values)
  const { unit, of, target: ours } = TERMINAL_TARGETS[what]
  const target = isPeer ? null : ours
  const ofTarget = target === null ? null : Number((samples[of] / target).toPrecision(3))
  return { what, on, unit, ...samples, target, of, ofTarget }
}
