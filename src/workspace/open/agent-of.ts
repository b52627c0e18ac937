import type { Catalog } from '../../catalog/create/catalog.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Agent } from '../../skills/definition/agent.ts'

/**
 * The profile a session runs under: the given one, by value or by its name in the catalog, else
 * the one it was opened with. Who only looks can do without one that is gone.
 */
export function agentOf(
  given: string | Agent | undefined,
  recorded: string | null,
  { agents }: Catalog,
  looking: boolean,
): Agent | null {
  const agent = given ?? recorded
  if (agent === null || typeof agent !== 'string') return agent
  const found = agents.get(agent)
  if (found) return found
  if (given === undefined && looking) return null
  const known = [...agents.keys()]
  throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${agent}".`, {
    facts: { agent, nearest: nearestNames(agent, known), known },
    hint: known.length === 0 ? 'The catalog has no agents.' : `Known agents: ${known.join(', ')}.`,
  })
}
