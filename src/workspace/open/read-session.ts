import type { Catalog } from '../../catalog/create/catalog.ts'
import { withSkills } from '../../catalog/create/create-catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type ContentHash, hashesIn } from '../../kernel/content-hash.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { createRedactor, type Redactor } from '../../kernel/redactor.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import { skillFromRecord } from '../../skills/definition/skill-record.ts'
import { DefinitionRegistry } from '../log/definition-registry.ts'
import type { AnyLog, EventLog } from '../log/event-log.ts'
import { type MaybeAsync, waitFor } from '../log/maybe-async.ts'
import { readFromSnapshot } from '../log/read-from-snapshot.ts'
import { unknownEntry } from '../log/session-replaced.ts'
import { matchesDefinitionHash } from '../log/unwritten-definitions.ts'
import { isReadOnly, type SettledOptions } from './workspace-options.ts'

/** A session as its log has it, and what to read it by. */
export interface ReadSession {
  readonly state: WorkspaceState
  /** The entry the state ends with; undefined before the first. */
  readonly last: Entry | undefined
  /** Nothing will be written: the session is only looked at. */
  readonly looking: boolean
  readonly definitions: DefinitionRegistry
  readonly components: Map<string, ToolComponent>
  readonly surroundings: EngineContext
}

/**
 * Read a session, known to the log or new. Its agent and mode are those it was opened with, unless the
 * options name others.
 */
export function* readSession(options: SettledOptions, log: AnyLog): MaybeAsync<ReadSession> {
  const { catalog, session, at } = options
  const looking = isReadOnly(options)
  const known = sessionDefinitions(options)
  const { definitions, components } = known
  const { state, from, entries, last } = yield* readFromSnapshot(log, session, at)
  if (at !== undefined && (at < 0 || state.seq !== at)) yield* checkEntry(log, session, at)
  if (from.seq >= 0) yield* waitFor(definitions.learnHashes(hashesInState(from)))
  yield* definitions.learn(entries, log)
  const agent = findAgent(options.agent, state.opening?.agent ?? null, catalog, looking)
  const shown = looking
    ? yield* waitFor(recordedCatalog(catalog, state, options.log, definitions))
    : catalog
  const surroundings = surroundingsOf(shown, agent, looking ? 'recorded' : 'here', known)
  return { state, last, looking, definitions, components, surroundings }
}

/** What is known of a session before its log is read. */
interface SessionDefinitions {
  readonly definitions: DefinitionRegistry
  readonly components: Map<string, ToolComponent>
  readonly redactor: Redactor | undefined
}

/** The components of a session, and every definition that is known before its log is read. */
function sessionDefinitions({ catalog, log, ...options }: SettledOptions): SessionDefinitions {
  const redactor = options.redact === undefined ? undefined : createRedactor(options.redact)
  const definitions = new DefinitionRegistry(catalog, log, redactor)
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
  handlers: EngineContext['handlers'],
  { definitions, components, redactor }: SessionDefinitions,
): EngineContext {
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

function* checkEntry(log: AnyLog, session: string, at: number): MaybeAsync<void> {
  const { length: entries } = yield* waitFor(log.read(session))
  if (entries === 0) return
  throw unknownEntry(session, at, entries)
}

/**
 * The profile a session runs under: the given one, by value or by its name in the catalog, else
 * the one it was opened with. Who only looks can do without one that is gone.
 */
function findAgent(
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

/**
 * The catalog as a session had it, for who looks at a moment of it: its active skills with the
 * definitions it activated, from the log, wherever those of today are others or gone.
 */
export async function recordedCatalog(
  catalog: Catalog,
  { open }: WorkspaceState,
  { definitions }: EventLog,
  keeper: DefinitionRegistry,
): Promise<Catalog> {
  const recorded = await Promise.all(
    open.map(async ({ source, owner, definition }) => {
      const isToday = catalog.skills.get(owner)?.hash === definition
      if (source !== 'skill' || definition === null || isToday) return []
      const record = await definitions.get(definition)
      if (record === undefined || !matchesDefinitionHash(definition, record)) return []
      await keeper.learnHashes(hashesIn(record))
      return skillFromRecord(record, (hash) => keeper.tool(hash)) ?? []
    }),
  )
  return withSkills(catalog, recorded.flat())
}

/**
 * The hashes a state names that may be of definitions; many are of something else. Those of what the
 * model was sent as text are left out, since there are many of them and none is a definition.
 */
function hashesInState(state: WorkspaceState): ReadonlySet<ContentHash> {
  return hashesIn({ ...state, sections: [], rulesSent: [] })
}
