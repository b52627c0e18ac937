import type { ToolComponent } from '../components/tool-component.ts'
import type { Entry } from '../engine/event.ts'
import { fold } from '../engine/fold.ts'
import type { Surroundings } from '../engine/surroundings.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { DefinitionKeeper } from '../session/definition-keeper.ts'
import type { EventLog } from '../session/ports.ts'
import { recordedCatalog } from '../session/recorded-catalog.ts'
import { agentOf } from './agent-of.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** A session as its log has it, and what to read it by. */
export interface ReadSession {
  readonly history: readonly Entry[]
  /** Nothing will be written: the session is only looked at. */
  readonly looking: boolean
  readonly definitions: DefinitionKeeper
  readonly components: Map<string, ToolComponent>
  readonly surroundings: Surroundings
}

/** Read a session. Its agent and mode are those it was opened with, unless told otherwise. */
export async function readSession(
  options: WorkspaceOptions,
  session: string,
  log: EventLog,
): Promise<ReadSession> {
  const { catalog, at } = options
  const looking = options.readOnly === true || at !== undefined
  const { definitions, components } = knownBy(options, log)
  const all = await log.read(session)
  if (at !== undefined && all.length > 0 && all[at] === undefined) {
    throw unknownEntry(session, at, all.length)
  }
  const history = at === undefined ? all : all.slice(0, at + 1)
  await definitions.learn(history)
  const state = fold(history)
  const { opening } = state
  const agent = agentOf(options.agent, opening?.agent ?? null, catalog, looking)
  const surroundings: Surroundings = {
    catalog: looking ? await recordedCatalog(catalog, state, log, definitions) : catalog,
    agent,
    handlers: looking ? 'recorded' : 'here',
    tool: (hash) => definitions.tool(hash),
    component: (key) => components.get(key),
  }
  return { history, looking, definitions, components, surroundings }
}

/** The same for a session that nobody opened yet: nothing to read, so nothing to wait for. */
export function freshSession(options: WorkspaceOptions, log: EventLog): ReadSession {
  const { catalog } = options
  const { definitions, components } = knownBy(options, log)
  const surroundings: Surroundings = {
    catalog,
    agent: agentOf(options.agent, null, catalog, false),
    handlers: 'here',
    tool: (hash) => definitions.tool(hash),
    component: (key) => components.get(key),
  }
  return { history: [], looking: false, definitions, components, surroundings }
}

/** The components of a session, and every definition that is known before its log is read. */
function knownBy({ catalog, ...options }: WorkspaceOptions, log: EventLog) {
  const definitions = new DefinitionKeeper(catalog, log)
  const components = new Map(
    [...catalog.components.values(), ...(options.components ?? [])].map((one) => [one.key, one]),
  )
  for (const { tools } of components.values()) tools.forEach((tool) => definitions.bind(tool))
  for (const tool of options.tools ?? []) definitions.bind(tool)
  return { definitions, components }
}

function unknownEntry(session: string, at: number, entries: number): WorkspaceError {
  return new WorkspaceError('ENTRY_UNKNOWN', `Session "${session}" has no entry ${at}.`, {
    hint: `Its entries are 0 to ${entries - 1}.`,
    facts: { session, at, entries },
  })
}
