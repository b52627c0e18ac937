import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import type { Command, Order } from '../../src/engine/model/command.ts'
import { decide } from '../../src/engine/decide/decide.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { OPEN_POLICY } from '../../src/engine/model/policy.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../src/engine/model/workspace-state.ts'
import type { EngineContext } from '../../src/engine/model/engine-context.ts'
import type { Agent } from '../../src/skills/definition/define-agent.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'

/** A context over some definitions, and over tools that are registered later. */
export async function contextOf(
  definitions: Parameters<typeof createCatalog>[0],
  more: {
    readonly agent?: Agent
    readonly tools?: readonly Tool[]
  } = {},
): Promise<EngineContext> {
  const catalog = await createCatalog(definitions)
  const later = new Map((more.tools ?? []).map((tool) => [tool.hash, tool]))
  return {
    catalog,
    agent: more.agent ?? null,
    handlers: 'here',
    bound: ({ hash }) => later.get(hash) ?? catalog.toolsByHash.get(hash),
    tool: (hash) => later.get(hash) ?? catalog.toolsByHash.get(hash),
    skill: () => undefined,
    component: (key) => catalog.components.get(key),
  }
}

/** An order by the host, at one second past the beginning of time. */
export function order(command: Command, more: Partial<Order> = {}): Order {
  return { command, cause: { by: 'host' }, now: 1_000, id: 'f'.repeat(32), ...more }
}

/** The state after some commands, each decided on the state before it; hooks count as run. */
export function stateAfter(
  context: EngineContext,
  commands: readonly (Command | Order)[],
  from: WorkspaceState = EMPTY_STATE,
): WorkspaceState {
  return commands.reduce((state, given) => {
    const { drafts } = decide(state, 'command' in given ? given : order(given), context)
    const entries = drafts.map((draft, index): Entry => ({
      seq: state.seq + 1 + index,
      at: 0,
      ...draft,
    }))
    return fold(entries, state)
  }, from)
}

/** The command that opens a session. */
export const OPENING: Extract<Command, { type: 'session.open' }> = {
  type: 'session.open',
  session: 's',
  agent: null,
  tokenizer: 'letters',
  principal: null,
  policy: OPEN_POLICY,
}
