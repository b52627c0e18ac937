import type { Policy } from '../engine/policy.ts'
import type { Agent } from '../skills/agent.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** The policy a host gives a session, over the one it has: what is not given stays as it is. */
export function policyOf(
  { mode, permissions, callsPerTurn }: WorkspaceOptions,
  recorded: Policy,
  agent: Agent | null = null,
): Policy {
  return {
    mode: mode ?? agent?.mode ?? recorded.mode,
    deny: permissions?.deny ?? recorded.deny,
    ask: permissions?.ask ?? recorded.ask,
    callsPerTurn: callsPerTurn ?? recorded.callsPerTurn,
  }
}
