import { isListedOnly, withKnown } from '../../catalog/catalog-from-listing.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { withSkills } from '../../catalog/create/create-catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type ContentHash, hashesIn } from '../../kernel/content-hash.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { createRedactor, type Redactor } from '../../kernel/redactor.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import { skillFromRecord } from '../../skills/definition/skill-record.ts'
import { shownTool } from '../../tools/definition/shown-tool.ts'
import type { OpenParent } from '../commands/child-sessions.ts'
import { type SessionSkills, sessionSkills } from '../commands/current-catalog.ts'
import { HandlerBindings } from '../commands/handler-bindings.ts'
import { DefinitionRegistry } from '../log/definition-registry.ts'
import type { EventLog } from '../log/event-log.ts'
import { readFromSnapshot } from '../log/read-from-snapshot.ts'
import { unknownEntry } from '../log/session-replaced.ts'
import { matchesDefinitionHash } from '../log/referenced-definitions.ts'
import { isReadOnly, type SettledOptions } from './workspace-options.ts'

/** A session from its log, with the definitions, agent and catalog that belong to it. */
export interface ReadSession {
  readonly state: WorkspaceState
  /** The last entry of the state; undefined before the first. */
  readonly last: Entry | undefined
  /** The session is opened read-only. */
  readonly looking: boolean
  readonly definitions: DefinitionRegistry
  readonly handlers: HandlerBindings
  readonly components: Map<string, ToolComponent>
  readonly context: EngineContext
  /** The catalog of the host with the skills of the session. */
  readonly whole: Catalog
  /** The skills of the session that this process knows. */
  readonly skills: SessionSkills
}

/**
 * Reads a session, known to the log or new. Its agent is the one it was opened with, unless the options
 * name another.
 */
export async function readSession(
  options: SettledOptions,
  parent: OpenParent | null,
): Promise<ReadSession> {
  const { catalog, session, log, at } = options
  const looking = isReadOnly(options)
  const known = sessionDefinitions(options)
  const { definitions, handlers, components } = known
  const { state, from, entries, last } = await readFromSnapshot(log, session, at)
  if (at !== undefined && (at < 0 || state.seq !== at)) {
    const { length } = await log.read(session)
    if (length > 0) throw unknownEntry(session, at, length)
  }
  // A session that continues offers its own meta-tools next, and most are the same.
  const later = looking ? undefined : hashesIn(state.open.filter(isMeta))
  await definitions.learn(entries, hashesInState(from, catalog), later)
  if (state.opening?.observed) await learnTexts(state, definitions)
  const agent = findAgent(options.agent, state.opening?.agent ?? null, catalog, looking)
  const skills: SessionSkills = new Map(parent?.skills)
  const registered = state.opening === null ? (parent?.registered ?? []) : state.registered
  const whole =
    registered.length === 0
      ? catalog
      : await withSessionSkills(catalog, registered, skills, definitions)
  const shown = looking ? await recordedCatalog(whole, state, log, definitions, agent) : whole
  const context = engineContext(shown, agent, looking ? 'recorded' : 'here', known)
  return { state, last, looking, definitions, handlers, components, context, whole, skills }
}

/** Reads the texts that the agent of an observed session showed its model last: they are not made again here. */
async function learnTexts(
  { sections }: WorkspaceState,
  definitions: DefinitionRegistry,
): Promise<void> {
  const texts = await definitions.readTexts(sections.map(({ hash }) => hash))
  for (const [hash, text] of texts) definitions.noteText(hash, text)
}

/** Returns what is known of a session that its log does not have, as `readSession` does. */
export function unreadSession(options: SettledOptions): ReadSession {
  const { catalog } = options
  const known = sessionDefinitions(options)
  const { definitions, handlers, components } = known
  const agent = findAgent(options.agent, null, catalog, false)
  const context = engineContext(catalog, agent, 'here', known)
  const read = { state: EMPTY_STATE, last: undefined, looking: false, whole: catalog }
  return { ...read, definitions, handlers, components, context, skills: new Map() }
}

/** Adds the skills of a session to a catalog that does not have them. */
async function withSessionSkills(
  catalog: Catalog,
  registered: WorkspaceState['registered'],
  skills: SessionSkills,
  definitions: DefinitionRegistry,
): Promise<Catalog> {
  const hashes = registered.flatMap(({ skill, definition }) =>
    catalog.skills.get(skill)?.hash === definition ? [] : [definition],
  )
  return withSkills(catalog, await sessionSkills(hashes, skills, definitions))
}

/** The part of a session that does not depend on its log. */
interface SessionDefinitions {
  readonly definitions: DefinitionRegistry
  readonly handlers: HandlerBindings
  readonly components: Map<string, ToolComponent>
  readonly redactor: Redactor | undefined
}

/** Collects the components and definitions that a session has before its log is read. */
function sessionDefinitions({ catalog, log, ...options }: SettledOptions): SessionDefinitions {
  const redactor = options.redact === undefined ? undefined : createRedactor(options.redact)
  const definitions = new DefinitionRegistry(catalog, log, redactor)
  const components = new Map(
    [...catalog.components.values(), ...(options.components ?? [])].map((one) => [one.key, one]),
  )
  for (const { tools } of components.values()) tools.forEach((tool) => definitions.add(tool))
  for (const tool of options.tools ?? []) definitions.add(tool)
  return { definitions, handlers: new HandlerBindings(), components, redactor }
}

function engineContext(
  catalog: Catalog,
  agent: Agent | null,
  recorded: EngineContext['handlers'],
  { definitions, handlers, components, redactor }: SessionDefinitions,
): EngineContext {
  return {
    catalog,
    agent,
    handlers: recorded,
    bound: (claim) => handlers.tool(claim),
    tool: (hash) => {
      const tool = definitions.tool(hash)
      return tool && shownTool(tool, redactor)
    },
    skill: (hash) => definitions.skill(hash),
    component: (key) => components.get(key),
    ...(redactor && { redactor }),
  }
}

/**
 * Returns the agent of a session: the given one, by value or by its name in the catalog, else the one it
 * was opened with. For a read-only session it returns null when that one is no longer in the catalog.
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
 * Returns the catalog that a read-only session is shown with. Active skills have the definitions they
 * were activated with, read from the log where the catalog has changed. Skills that are only listed are
 * completed from the log, too, if they were ever active or are initial ones.
 */
export async function recordedCatalog(
  catalog: Catalog,
  { open, closed, opening }: WorkspaceState,
  log: EventLog,
  registry: DefinitionRegistry,
  agent: Agent | null,
): Promise<Catalog> {
  const before = closed.flatMap(({ source, owner }) => (source === 'skill' ? owner : []))
  const used = new Map(
    [...before, ...(agent?.initialSkills ?? [])].map((name) => [
      name,
      catalog.skills.get(name)?.hash ?? null,
    ]),
  )
  for (const { source, owner, definition } of open) {
    if (source === 'skill') used.set(owner, definition)
  }
  const wanted = [...used].flatMap(([name, definition]) => {
    const current = catalog.skills.get(name)
    const isCurrent = current?.hash === definition && !isListedOnly(current)
    return definition === null || isCurrent ? [] : definition
  })
  const stored = wanted.length === 0 ? [] : await log.definitions.get(wanted)
  const records = [...stored].flatMap(([hash, record]) =>
    matchesDefinitionHash(hash, record) ? [record] : [],
  )
  await registry.learn([], hashesIn(records))
  const recorded = records.flatMap(
    (record) => skillFromRecord(record, (hash) => registry.tool(hash)) ?? [],
  )
  const skills = new Map(recorded.map((skill) => [skill.hash, skill]))
  const kept = open.flatMap(({ owner, definition, claims }) => {
    const skill = definition === null ? undefined : skills.get(definition)
    if (skill === undefined || !opening?.kept.includes(owner)) return []
    const tools = claims.flatMap(({ hash }) => registry.tool(hash) ?? [])
    return [[owner, { skill, tools: tools.map((tool) => ({ tool, picked: false })) }] as const]
  })
  const known = withKnown(catalog, {
    kept: new Map(kept),
    skill: (hash) => skills.get(hash),
    tool: (hash) => registry.tool(hash),
  })
  return known ?? withSkills(catalog, [...skills.values()])
}

/**
 * Returns the hashes in a state that may be of definitions, without those of skills in the catalog. Hashes of
 * texts that were sent to the model and of arguments of calls are left out: there are many, and none is of a
 * definition. That of the catalog is of a listing.
 */
function hashesInState(
  { conversation, ...state }: WorkspaceState,
  { skills }: Catalog,
): ReadonlySet<ContentHash> {
  const changes = conversation.ours.filter(({ kind }) => kind === 'tools')
  const open = state.open.map((one) =>
    skills.get(one.owner)?.hash === one.definition ? { ...one, definition: null } : one,
  )
  const none = {
    opening: null,
    sections: [],
    rulesSent: [],
    sameCalls: [],
    emptyCalls: [],
    stepCalls: [],
  }
  return hashesIn({ ...state, ...none, cost: null, reported: null, open, changes })
}
