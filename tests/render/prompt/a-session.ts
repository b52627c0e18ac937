import { createCatalog, type CatalogInput } from '../../../src/catalog/create/create-catalog.ts'
import type { Catalog } from '../../../src/catalog/create/catalog.ts'
import { LOG_FORMAT, type WorkspaceEvent } from '../../../src/engine/model/workspace-event.ts'
import type { Claim } from '../../../src/engine/model/source-event.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { OPEN_POLICY, type Policy } from '../../../src/engine/model/policy.ts'
import type { WorkspaceState } from '../../../src/engine/model/workspace-state.ts'
import type { EngineContext } from '../../../src/engine/model/engine-context.ts'
import { toolTable } from '../../../src/engine/standing/tool-table.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import type { Tool } from '../../../src/tools/definition/tool.ts'
import type { PromptInput } from '../../../src/render/prompt/document/prompt-input.ts'
import type { TokenCounter } from '../../../src/kernel/token-counter.ts'

/** Counts words, so that figures in tests can be checked by eye. */
export const wordCounter: TokenCounter = {
  name: 'words',
  count: (text) => text.split(/\s+/v).filter((word) => word !== '').length,
}

/** A tool with a handler that answers nothing. */
/** A tool with a summary of its own, so that sections list it. */
export function aTool(name: string, summary = `Does ${name}.`): Tool {
  const description = `${summary.slice(0, -1)}, and no more.`
  return defineTool({ name, description, summary, execute: () => null })
}

/** One session over a catalog, moved on by events as a log would hold them. */
export interface ASession {
  readonly catalog: Catalog
  readonly state: WorkspaceState
  readonly open: (...skills: string[]) => ASession
  readonly close: (skill: string) => ASession
  readonly after: (...events: WorkspaceEvent[]) => ASession
  readonly input: (overrides?: Partial<PromptInput>) => PromptInput
}

/** An opened session with the global tools registered and no skill active. */
export async function aSession(
  given: CatalogInput,
  policy: Policy = OPEN_POLICY,
): Promise<ASession> {
  const catalog = await createCatalog(given)
  const agent = given.agents?.[0] ?? null
  const surroundings: EngineContext = {
    catalog,
    agent,
    handlers: 'here',
    bound: ({ hash }) => catalog.toolsByHash.get(hash),
    tool: (hash) => catalog.toolsByHash.get(hash),
    skill: () => undefined,
    component: (key) => catalog.components.get(key),
  }
  const session = (state: WorkspaceState): ASession => ({
    catalog,
    state,
    after: (...events) => session(fold(events.map(entryAfter(state)), state)),
    open: (...skills) => session(state).after(...skills.map((name) => opened(catalog, name))),
    close: (owner) =>
      session(state).after({ type: 'source.closed', source: 'skill', owner, names: null }),
    input: (overrides = {}) => ({
      catalog,
      agent,
      state,
      tools: toolTable(state, surroundings).rows,
      components: [],
      variables: [],
      counter: wordCounter,
      ...overrides,
    }),
  })
  const opening: WorkspaceEvent = {
    type: 'session.opened',
    format: LOG_FORMAT,
    session: 's',
    agent: agent?.name ?? null,
    catalog: catalog.hash,
    tokenizer: 'words',
    principal: null,
    policy,
  }
  const global: WorkspaceEvent = {
    type: 'source.opened',
    source: 'global',
    owner: 'global',
    definition: null,
    claims: catalog.globalTools.map(claimOf),
    lifetime: 'session',
    requested: true,
  }
  return session(fold([])).after(opening, global)
}

function opened(catalog: Catalog, name: string): WorkspaceEvent {
  return {
    type: 'source.opened',
    source: 'skill',
    owner: name,
    definition: catalog.skills.get(name)?.hash ?? null,
    claims: (catalog.skillTools.get(name) ?? []).map(({ tool }) => claimOf(tool)),
    lifetime: 'session',
    requested: true,
  }
}

function claimOf({ name, hash, version, execute: run }: Tool): Claim {
  const bound = run !== undefined
  return { name, definedAs: name, hash, version, onConflict: 'refuse', bound }
}

function entryAfter({ seq }: WorkspaceState) {
  return (event: WorkspaceEvent, index: number) =>
    ({ seq: seq + 1 + index, at: 0, cause: { by: 'user' }, event }) as const
}
