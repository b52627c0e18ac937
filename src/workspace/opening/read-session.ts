import type { ToolComponent } from '../../components/tool-component.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/state.ts'
import type { Entry } from '../../engine/event.ts'
import type { Surroundings } from '../../engine/surroundings.ts'
import { createRedactor } from '../../kernel/redaction/create-redactor.ts'
import { DefinitionKeeper } from '../../session/log/definition-keeper.ts'
import type { EventLog } from '../../session/ports.ts'
import { recordedCatalog } from '../../session/recorded-catalog.ts'
import { hashesInState } from '../../session/snapshot/hashes-in-state.ts'
import { readFolded } from '../../session/snapshot/read-folded.ts'
import { unknownEntry } from '../../session/unknown-entry.ts'
import { agentOf } from './agent-of.ts'
import type { WorkspaceOptions } from '../workspace-options.ts'

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
  const looking = options.readOnly === true || at !== undefined
  const { definitions, components, redaction } = knownBy(options, log)
  const { state, from, entries, last } = await readFolded(log, session, at)
  if (at !== undefined && (at < 0 || state.seq !== at)) await checkEntry(log, session, at)
  await definitions.learnHashes(hashesInState(from))
  await definitions.learn(entries)
  const { opening } = state
  const agent = agentOf(options.agent, opening?.agent ?? null, catalog, looking)
  const surroundings: Surroundings = {
    catalog: looking ? await recordedCatalog(catalog, state, log, definitions) : catalog,
    agent,
    handlers: looking ? 'recorded' : 'here',
    tool: (hash) => definitions.tool(hash),
    component: (key) => components.get(key),
    ...redaction,
  }
  return { state, last, looking, definitions, components, surroundings }
}

/** The same for a session that nobody opened yet: nothing to read, so nothing to wait for. */
export function freshSession(options: WorkspaceOptions, log: EventLog): ReadSession {
  const { catalog } = options
  const { definitions, components, redaction } = knownBy(options, log)
  const surroundings: Surroundings = {
    catalog,
    agent: agentOf(options.agent, null, catalog, false),
    handlers: 'here',
    tool: (hash) => definitions.tool(hash),
    component: (key) => components.get(key),
    ...redaction,
  }
  const { state, last } = { state: EMPTY_STATE, last: undefined }
  return { state, last, looking: false, definitions, components, surroundings }
}

/** The components of a session, and every definition that is known before its log is read. */
function knownBy({ catalog, ...options }: WorkspaceOptions, log: EventLog) {
  const redaction = options.redact === undefined ? {} : { redactor: createRedactor(options.redact) }
  const definitions = new DefinitionKeeper(catalog, log, redaction.redactor)
  const components = new Map(
    [...catalog.components.values(), ...(options.components ?? [])].map((one) => [one.key, one]),
  )
  for (const { tools } of components.values()) tools.forEach((tool) => definitions.bind(tool))
  for (const tool of options.tools ?? []) definitions.bind(tool)
  return { definitions, components, redaction }
}

async function checkEntry(log: EventLog, session: string, at: number): Promise<void> {
  const { length: entries } = await log.read(session)
  if (entries === 0) return
  throw unknownEntry(session, at, entries)
}
