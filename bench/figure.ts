import type { Samples } from './take-samples.ts'

/** One thing measured on one engine with one number of skills. */
export interface Figure extends Samples {
  readonly engine: 'loadout' | 'carnet'
  readonly what: What
  readonly skills: number
  readonly unit: 'ms' | 'bytes'
  /** The limit of the median; null where there is none. */
  readonly target: number | null
  /** The median as a share of the target: met up to 1. */
  readonly ofTarget: number | null
}

/** The rows that are measured, in the order in which they are printed, with their targets. */
export const TARGETS = {
  'catalog from definitions': null,
  'open a session': null,
  'load a skill, first time in its log': 0.1,
  'load a skill again': 0.1,
  'load a skill with 50 others active': null,
  'unload a skill': 0.1,
  'tools, unchanged': 0.02,
  'tools after a change': null,
  'prompt text after a change': 0.2,
  'prompt text, unchanged': 0.01,
  'idle session': 10_000,
} as const satisfies Record<string, number | null>

export type What = keyof typeof TARGETS

/** Adds the target to a figure. Targets are ours: a peer has none. */
export function figure(
  engine: Figure['engine'],
  what: What,
  skills: number,
  samples: Samples,
): Figure {
  const target = engine === 'loadout' ? TARGETS[what] : null
  const unit = what === 'idle session' ? 'bytes' : 'ms'
  const ofTarget = target === null ? null : Number((samples.median / target).toPrecision(3))
  return { engine, what, skills, unit, ...samples, target, ofTarget }
}
