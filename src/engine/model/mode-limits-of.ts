import { OPEN_LIMITS, type ModeLimits } from './mode-limits.ts'
import { MODES } from './modes.ts'

/** Modes as a host defines them. */
export type ModeTable = Readonly<Record<string, Partial<ModeLimits>>>

/**
 * The limits of a mode; null when nobody defined it. A host that defines a mode every host has gives
 * what is to be different; one of its own is open but for what it gives.
 */
export function modeLimitsOf(mode: string, modes: ModeTable = {}): ModeLimits | null {
  const own = Object.hasOwn(modes, mode) ? modes[mode] : undefined
  const known = Object.hasOwn(MODES, mode) ? MODES[mode as keyof typeof MODES] : undefined
  if (own === undefined) return known ?? null
  return { ...(known ?? OPEN_LIMITS), ...own }
}
