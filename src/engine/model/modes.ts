import * as z from 'zod'
import type { ToolCategory } from '../../tools/definition/tool.ts'

/**
 * The built-in modes, which a host may change.
 *
 * A person who speaks hears silence during every call, so `voice` allows fewer and shorter calls.
 */
export const MODES: Readonly<Record<'voice' | 'text', ModeLimits>> = {
  voice: {
    callsPerTurn: { retrieval: 2 },
    latencyMs: { retrieval: 800, action: 1000, utility: 1000 },
    promptTier: 'summary',
  },
  text: {
    callsPerTurn: { retrieval: 5 },
    latencyMs: { retrieval: 2000, action: 1000, utility: 1000 },
    promptTier: 'full',
  },
}

/** Modes defined by a host. */
export type ModeTable = Readonly<Record<string, Partial<ModeLimits>>>

/**
 * Returns the limits of a mode; null for an unknown one. A host that redefines a built-in mode
 * gives only the differences. Its own modes have no limits except those it gives.
 */
export function modeLimitsOf(mode: string, modes: ModeTable = {}): ModeLimits | null {
  const own = Object.hasOwn(modes, mode) ? modes[mode] : undefined
  const known = Object.hasOwn(MODES, mode) ? MODES[mode as keyof typeof MODES] : undefined
  if (own === undefined) return known ?? null
  return { ...(known ?? OPEN_LIMITS), ...own }
}

/** The length of a tool's description in a prompt: its summary, or its complete description. */
export type PromptTier = 'summary' | 'full'

/**
 * The limits and targets of a mode. They are in the log as a part of the policy, so that a later
 * reader needs no table of the host's modes.
 *
 * Calls of meta-tools are neither counted nor limited: otherwise a model could be unable to
 * deactivate a skill.
 */
export interface ModeLimits {
  /** Patterns of the tools that may be called, besides meta-tools; absent means all. */
  readonly tools?: readonly string[]
  /** Calls allowed in a turn, by category; absent means no limit. */
  readonly callsPerTurn: Partial<Readonly<Record<ToolCategory, number>>>
  /** Calls allowed in a turn, of all categories together; absent means no limit. */
  readonly calls?: number
  /** Calls allowed in a session; absent means no limit. */
  readonly callsInSession?: number
  /** Target duration of a call in milliseconds, by category: reported, not enforced. */
  readonly latencyMs: Partial<Readonly<Record<ToolCategory, number>>>
  readonly promptTier: PromptTier
}

/** The limits of a mode without limits. */
export const OPEN_LIMITS: ModeLimits = { callsPerTurn: {}, latencyMs: {}, promptTier: 'full' }

const count = z.int('must be a whole number').min(0, 'must not be negative')

const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.strictObject(
    { retrieval: value.optional(), action: value.optional(), utility: value.optional() },
    'must be an object of retrieval, action and utility',
  )

/** The schema of the calls allowed in a turn, by category. */
export const callsPerTurnSchema = byCategory(count)

/** The schema of a mode's limits in a host's options or in a file. */
export const modeLimitsSchema = z.strictObject({
  tools: z.array(z.string('must be text'), 'must be a list of patterns').optional(),
  callsPerTurn: callsPerTurnSchema,
  calls: count.optional(),
  callsInSession: count.optional(),
  latencyMs: byCategory(z.number('must be a number').positive('must be above 0')),
  promptTier: z.enum(['summary', 'full'], 'must be "summary" or "full"'),
})
