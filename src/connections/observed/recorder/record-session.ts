import { PROVIDER_FACTS, referencedDefinitions } from '../../../entries/adapter.ts'
import {
  type ContentHash,
  createCatalog,
  createMemoryLog,
  defineSkill,
  type EventLog,
  type JsonValue,
  type Skill,
  VirtualWorkspace,
  WorkspaceError,
} from '../../../entries/index.ts'
import { usableName } from '../../../entries/kit.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import type { Observation, ObservedSession } from '../observation.ts'
import { countUncut } from '../write-cut-run.ts'
import { refuseLarge } from '../refuse-large.ts'
import { RequestCosts, TokenSampler } from './request-costs.ts'
import { NOT_SHOWN } from './defined-tool.ts'
import type { ObservedLog } from './observed-log.ts'
import type { RecordedChild } from './recorded-child.ts'
import { type ForkedCatalog, SessionRecorder } from './session-recorder.ts'

/** The sessions that belong to others. */
export interface ObservedFamily {
  /** Returns the subagents of a session, which were written before. */
  children(session: string): readonly RecordedChild[]
  /** Returns the sessions that begin with the first observations of a session. */
  forks(session: string): readonly ObservedSession[]
}

/**
 * Writes an observed session and its forks into a log, as the entries that sessions of Loadout would have. Returns what
 * the parent of the session knows of it.
 */
export async function recordSession(
  observed: ObservedSession,
  log: ObservedLog,
  family: ObservedFamily,
): Promise<RecordedChild> {
  const { session, parent, seen } = observed
  const budget = new Budget('shown')
  const count = (shown: readonly unknown[]) => countShown(shown, budget)
  const skills = seenSkills(seen)
  const opening = await openingEntry(observed, skills, [...skills.values()])
  const counter = await o200kCounter()
  const facts = PROVIDER_FACTS[observedProvider(observed)]
  const countText = (text: string) => counter.count(text)
  const costs = new RequestCosts(
    facts,
    new TokenSampler(observed.hasCuts ? (text) => countUncut(text, countText) : countText),
  )
  const children = family.children(session)
  const recorder = new SessionRecorder(observed, { skills, costs, children, count })
  await putAll(log, opening.definitions)
  recorder.entries.push(opening.entry)
  await new FamilyRecorder(log, family).record(observed, recorder, skills)
  await putAll(log, recorder.definitions)
  log.add(session, [opening.entry, ...recorder.entries.slice(1)])
  const { agent = null, call = null } = parent ?? {}
  const [from = 0, until = 0] = [seen[0]?.at, seen.at(-1)?.at]
  return { session, agent, call, from, until, spent: recorder.spent }
}

/** Counts the entries of a list, which take room each time: a short line may repeat a long list. */
function countShown(shown: readonly unknown[], budget: Budget): void {
  refuseLarge(budget, 1_000 * shown.length)
}

type Skills = ReadonlyMap<string, Skill>

/** Records a session and its forks: each from the moment on at which it left. */
class FamilyRecorder {
  readonly #log: ObservedLog
  readonly #family: ObservedFamily
  /** All forks have one budget, so that the session itself is read with any of them. */
  readonly #budget = new Budget('shown')

  constructor(log: ObservedLog, family: ObservedFamily) {
    this.#log = log
    this.#family = family
  }

  async record(
    { session, seen }: ObservedSession,
    recorder: SessionRecorder,
    skills: Skills,
  ): Promise<void> {
    const left = Map.groupBy(this.#family.forks(session), ({ forkedFrom }) =>
      Math.min(forkedFrom?.seen ?? 0, seen.length),
    )
    for (let at = 0; at <= seen.length; at += 1) {
      for (const fork of left.get(at) ?? []) await this.#fork(fork, session, recorder, skills)
      const one = seen[at]
      if (one) recorder.add(one)
    }
    recorder.end()
  }

  /** Records a fork; only its beginning when its lists are too long. */
  async #fork(fork: ObservedSession, origin: string, from: SessionRecorder, known: Skills) {
    const { session, seen } = fork
    const skills = seenSkills(seen, known)
    const catalog = await this.#catalog(fork, skills, known)
    const children = this.#family.children(session)
    const count = (shown: readonly unknown[]) => countShown(shown, this.#budget)
    const recorder = from.fork(fork, { skills, children, count, catalog })
    await this.record(fork, recorder, skills).catch((error: unknown) => {
      if (!WorkspaceError.is(error) || error.code !== 'LOG_UNREADABLE') throw error
    })
    await putAll(this.#log, recorder.definitions)
    const [first, ...more] = recorder.entries
    if (first) this.#log.add(session, [first, ...more], { origin, after: from.length })
  }

  /** Stores the catalog of a fork; null when it is that of its origin. */
  async #catalog(
    fork: ObservedSession,
    skills: Skills,
    known: Skills,
  ): Promise<ForkedCatalog | null> {
    const fresh = [...skills].filter(([name, { hash }]) => known.get(name)?.hash !== hash)
    if (fresh.length === 0) return null
    const own = fresh.map(([, skill]) => skill)
    const { entry, definitions } = await openingEntry(fork, skills, own)
    await putAll(this.#log, definitions)
    const { catalog, setup } = entry.event
    return { catalog, setup, changed: new Set(own.map(({ name }) => name)) }
  }
}

async function putAll(
  { definitions }: EventLog,
  all: Iterable<readonly [ContentHash, JsonValue]>,
): Promise<void> {
  for (const [hash, definition] of all) await definitions.put(hash, definition)
}

/**
 * Returns the skills of a session by the names of the agent, with the last descriptions and texts that were seen.
 *
 * @param known the skills of the session that it was forked from, which keep their names
 */
function seenSkills(seen: readonly Observation[], known: Skills = new Map()): Skills {
  const texts = new Map<string, { description?: string | null; instructions?: string }>()
  for (const one of seen) {
    if (one.type === 'loaded')
      texts.set(one.skill, { ...texts.get(one.skill), instructions: one.text })
    if (one.type !== 'skills') continue
    for (const { name, description } of one.skills)
      texts.set(name, { ...texts.get(name), description })
  }
  const taken = new Set([...known.values()].map(({ name }) => name))
  const skills = new Map(known)
  // A skill that has its name here unchanged keeps it: `shop:refund` next to `shop-refund` becomes `shop-refund-2`.
  const isOwn = (name: string) => Number(usableName(name) === name)
  for (const displayName of [...texts.keys()].sort((a, b) => isOwn(b) - isOwn(a))) {
    const before = known.get(displayName)
    const { description = before?.description, instructions = before?.instructions ?? '' } =
      texts.get(displayName) ?? {}
    const usable = before?.name ?? usableName(displayName)
    if (usable === undefined) continue
    if (before !== undefined) taken.delete(usable)
    let name = usable
    for (let count = 2; taken.has(name); count += 1) name = `${usable.slice(0, 60)}-${count}`
    taken.add(name)
    const skill = { name, displayName, description: description ?? NOT_SHOWN, instructions }
    skills.set(displayName, defineSkill(skill))
  }
  return skills
}

/**
 * Returns the first entry, and the definitions of some skills, as a workspace writes them.
 *
 * @param stored the skills whose definitions are returned
 */
async function openingEntry(observed: ObservedSession, skills: Skills, stored: readonly Skill[]) {
  const { session, client, version, folder, seen, parent } = observed
  const log = createMemoryLog()
  const catalog = await createCatalog({ skills: [...skills.values()] })
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session,
    provider: observedProvider(observed),
  })
  for (const { name } of stored) await workspace.activateSkill(name)
  await workspace.close()
  const entries = await log.read(session)
  const [first] = entries
  if (first?.event.type !== 'session.opened') throw new Error('A session begins with its opening.')
  const definitions: (readonly [ContentHash, JsonValue])[] = []
  for await (const one of referencedDefinitions(log, entries, new Set())) definitions.push(one)
  const agent = { client, ...(version !== null && { version }), ...(folder !== null && { folder }) }
  const entry = {
    ...first,
    at: seen[0]?.at ?? 0,
    event: {
      ...first.event,
      observed: agent,
      ...(parent && { parent: { session: parent.session, call: parent.call } }),
    },
  }
  return { entry, definitions }
}

function observedProvider({ provider, client }: ObservedSession) {
  return provider ?? PROVIDERS[client] ?? 'compatible'
}

/** The providers whose rules for caches hold for an agent. */
const PROVIDERS: Readonly<Record<string, 'anthropic' | 'openai'>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
}
