import type { StoredEvent } from './stored-event.ts'

/**
 * Format 1 to 2: a policy has the limits of its mode, rules that allow, and says what the
 * `allowed-tools` of a skill come to.
 *
 * Modes had no limits of their own, so an upgraded policy has none but those the host had set; nothing
 * was pre-approved, and `allowed-tools` had no effect.
 */
export function limitsInPolicy(event: StoredEvent): StoredEvent {
  if (event.type === 'session.opened') {
    return { ...event, format: 2, policy: upgraded(event['policy']) }
  }
  return event.type === 'policy.changed' ? { ...event, policy: upgraded(event['policy']) } : event
}

function upgraded(policy: unknown): unknown {
  if (typeof policy !== 'object' || policy === null) return policy
  const { callsPerTurn = {}, ...rest } = policy as { readonly callsPerTurn?: object }
  const isSet = Object.keys(callsPerTurn).length > 0
  const limits = { callsPerTurn, latencyMs: {}, promptTier: 'full' }
  return { ...rest, allow: [], allowedTools: 'ignore', limits, ...(isSet && { callsPerTurn }) }
}
