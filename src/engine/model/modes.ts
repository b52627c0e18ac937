import type { ModeLimits } from './mode-limits.ts'

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
