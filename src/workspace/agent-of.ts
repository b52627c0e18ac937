import type { Catalog } from '../catalog/catalog.ts'
import { nearestNames } from '../kernel/nearest-names.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { Agent } from '../skills/agent.ts'

/** The profile a session runs under, by value or by its name in the catalog. */
export function agentOf(agent: string | Agent | undefined, { agents }: Catalog): Agent | null {
  if (agent === undefined) return null
  if (typeof agent !== 'string') return agent
  const found = agents.get(agent)
  if (found) return found
  const nearest = nearestNames(agent, agents.keys())
  throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${agent}".`, {
    facts: { agent, nearest, known: [...agents.keys()] },
    hint:
      agents.size === 0
        ? 'The catalog has no agents.'
        : `Known agents: ${[...agents.keys()].join(', ')}.`,
  })
}
