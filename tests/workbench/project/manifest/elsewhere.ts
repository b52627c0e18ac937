/**
 * Loaded before anything else into a process that stands for another machine: its clock is ten years
 * ahead and its dice fall otherwise.
 */
const AHEAD_MS = 10 * 365 * 24 * 60 * 60 * 1000
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [RealDate.now() + AHEAD_MS] : given) as [number]))
  }
  static override now(): number {
    return RealDate.now() + AHEAD_MS
  }
} as DateConstructor
const { random } = Math
Math.random = () => 1 - random()
