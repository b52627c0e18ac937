import type { Samples } from './take-samples.ts'

/** One thing measured on one engine with one number of skills. */
export interface Figure extends Samples {
  readonly engine: 'loadout' | 'carnet'
  readonly what: What
  readonly skills: number
  readonly unit: 'ms' | 'bytes'
  /** What the median should be below; null where nothing was promised. */
  readonly target: number | null
  /** The median as a share of the target: met up to 1. */
  readonly ofTarget: number | null
}

/** Everything that is measured, in the order it is printed, with the target. */
export const TARGETS = {
  'catalog from definitions': null,
  'open a session': null,
  'load a skill, first time in its log': 0.1,
  'load a skill again': 0.1,
  'load a skill beside 50 others': null,
  'put a skill away': 0.1,
  'tools, unchanged': 0.02,
  'tools after a change': null,
  'prompt text after a change': 0.2,
  'prompt text, unchanged': 0.01,
  'idle session': 10_000,
} as const satisfies Record<string, number | null>

export type What = keyof typeof TARGETS

/** Put a figure beside its target. Targets are ours: a peer has none. */
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
