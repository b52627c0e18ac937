import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/tool-component.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/state.ts'
import type { Entry } from '../../engine/model/event.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { createRedactor } from '../../kernel/create-redactor.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { DefinitionKeeper } from '../log/definition-registry.ts'
import type { EventLog } from '../log/ports.ts'
import { recordedCatalog } from './recorded-catalog.ts'
import { hashesInState } from './hashes-in-state.ts'
import { readFolded } from '../log/read-folded.ts'
import { unknownEntry } from '../log/unknown-entry.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { agentOf } from './agent-of.ts'
import { isLooking } from './is-looking.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** A session as its log has it, and what to read it by. */
export interface ReadSession {
  readonly state: WorkspaceState
  /** The entry the state ends with; undefined before the first. */
  readonly last: Entry | undefined
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
  const looking = isLooking(options)
  const known = knownBy(options, log)
  const { definitions, components } = known
  const { state, from, entries, last } = await readFolded(log, session, at)
  if (at !== undefined && (at < 0 || state.seq !== at)) await checkEntry(log, session, at)
  await definitions.learnHashes(hashesInState(from))
  await definitions.learn(entries)
  const { opening } = state
  const agent = agentOf(options.agent, opening?.agent ?? null, catalog, looking)
  const surroundings = looking
    ? surroundingsOf(
        await recordedCatalog(catalog, state, log, definitions),
        agent,
        'recorded',
        known,
      )
    : surroundingsOf(catalog, agent, 'here', known)
  return { state, last, looking, definitions, components, surroundings }
}

/** The same for a session that nobody opened yet: nothing to read, so nothing to wait for. */
export function freshSession(options: WorkspaceOptions, log: EventLog): ReadSession {
  const { catalog } = options
  const known = knownBy(options, log)
  const { definitions, components } = known
  const agent = agentOf(options.agent, null, catalog, false)
  const surroundings = surroundingsOf(catalog, agent, 'here', known)
  const state = EMPTY_STATE
  return { state, last: undefined, looking: false, definitions, components, surroundings }
}

/** What is known of a session before its log is read. */
interface Known {
  readonly definitions: DefinitionKeeper
  readonly components: Map<string, ToolComponent>
  readonly redactor: Redactor | undefined
}

/** The components of a session, and every definition that is known before its log is read. */
function knownBy({ catalog, ...options }: WorkspaceOptions, log: EventLog): Known {
  const redactor = options.redact === undefined ? undefined : createRedactor(options.redact)
  const definitions = new DefinitionKeeper(catalog, log, redactor)
  const components = new Map(
    [...catalog.components.values(), ...(options.components ?? [])].map((one) => [one.key, one]),
  )
  for (const { tools } of components.values()) tools.forEach((tool) => definitions.bind(tool))
  for (const tool of options.tools ?? []) definitions.bind(tool)
  return { definitions, components, redactor }
}

function surroundingsOf(
  catalog: Catalog,
  agent: Agent | null,
  handlers: Surroundings['handlers'],
  { definitions, components, redactor }: Known,
): Surroundings {
  return {
    catalog,
    agent,
    handlers,
    tool: (hash) => definitions.tool(hash),
    skill: (hash) => definitions.skill(hash),
    component: (key) => components.get(key),
    ...(redactor && { redactor }),
  }
}

async function checkEntry(log: EventLog, session: string, at: number): Promise<void> {
  const { length: entries } = await log.read(session)
  if (entries === 0) return
  throw unknownEntry(session, at, entries)
}
