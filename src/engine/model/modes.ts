import { z } from 'zod'
import type { ToolCategory } from '../../tools/definition/tool.ts'

/**
 * The modes that every host has, and may change.
 *
 * A person who speaks waits for every call in silence, so `voice` takes fewer of them, and shorter ones.
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

/** How much a prompt says of a tool: its summary, or its whole description. */
export type PromptTier = 'summary' | 'full'

/**
 * What a mode allows a session, and what it aims at. A fact of the log as a part of the policy, so that
 * who looks later needs no table of the host's modes.
 *
 * Calls of meta-tools are neither counted nor limited: without them a model could not even put a
 * skill away.
 */
export interface ModeLimits {
  /** Patterns of the tools that may be called, beside meta-tools; absent means all. */
  readonly tools?: readonly string[]
  /** Calls a turn may make, by category; absent means no limit. */
  readonly callsPerTurn: Partial<Readonly<Record<ToolCategory, number>>>
  /** Calls a turn may make, of all categories together; absent means no limit. */
  readonly calls?: number
  /** Calls a session may make; absent means no limit. */
  readonly callsInSession?: number
  /** Milliseconds a call should stay under, by category: reported, not enforced. */
  readonly latencyMs: Partial<Readonly<Record<ToolCategory, number>>>
  readonly promptTier: PromptTier
}

/** The limits of a mode that nobody defined: none. */
export const OPEN_LIMITS: ModeLimits = { callsPerTurn: {}, latencyMs: {}, promptTier: 'full' }

const count = z.int('must be a whole number').min(0, 'must not be negative')

const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.strictObject(
    { retrieval: value.optional(), action: value.optional(), utility: value.optional() },
    'must be an object of retrieval, action and utility',
  )

/** The check of calls a turn may make, by category. */
export const callsPerTurnSchema = byCategory(count)

/** The check of the limits of a mode as a host or a file gives them. */
export const modeLimitsSchema = z.strictObject({
  tools: z.array(z.string('must be text'), 'must be a list of patterns').optional(),
  callsPerTurn: callsPerTurnSchema,
  calls: count.optional(),
  callsInSession: count.optional(),
  latencyMs: byCategory(z.number('must be a number').positive('must be above 0')),
  promptTier: z.enum(['summary', 'full'], 'must be "summary" or "full"'),
})
