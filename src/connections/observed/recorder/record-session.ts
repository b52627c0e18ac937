import { PROVIDER_FACTS, referencedDefinitions } from '../../../entries/adapter.ts'
import {
  type ContentHash,
  createCatalog,
  createMemoryLog,
  defineSkill,
  type Entry,
  type EventLog,
  type JsonValue,
  type Skill,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { usableName } from '../../../entries/kit.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import type { ObservedSession } from '../observation.ts'
import { refuseLarge } from '../refuse-large.ts'
import { RequestCosts } from './request-costs.ts'
import { NOT_SHOWN } from './defined-tool.ts'
import type { RecordedChild } from './recorded-child.ts'
import { SessionRecorder } from './session-recorder.ts'

/**
 * Writes an observed session into a log, as the entries that a session of Loadout would have. Returns what its parent
 * knows of it.
 *
 * @param children its subagents, which were written before
 */
export async function recordSession(
  observed: ObservedSession,
  log: EventLog,
  children: readonly RecordedChild[],
): Promise<RecordedChild> {
  const budget = new Budget('shown')
  // A short line may repeat a long list, whose entries take room each time.
  const count = (shown: readonly unknown[]) => refuseLarge(budget, 1_000 * shown.length)
  for (const one of observed.seen) {
    if (one.type === 'skills') count(one.skills)
    if (one.type === 'tools') count(one.tools)
    if (one.type === 'texts') count(one.texts)
  }
  const skills = seenSkills(observed)
  const opening = await openingEntry(observed, [...skills.values()])
  const counter = await o200kCounter()
  const facts = PROVIDER_FACTS[observedProvider(observed)]
  const costs = new RequestCosts(facts, (text) => counter.count(text))
  const recorder = new SessionRecorder(observed, skills, opening.entry, costs, { children, count })
  for (const one of observed.seen) recorder.add(one)
  recorder.end()
  for (const [hash, definition] of [...opening.definitions, ...recorder.definitions]) {
    await log.definitions.put(hash, definition)
  }
  const { session, parent, seen } = observed
  await log.append(session, 0, recorder.entries)
  const { agent = null, call = null } = parent ?? {}
  const [from = 0, until = 0] = [seen[0]?.at, seen.at(-1)?.at]
  return { session, agent, call, from, until, spent: recorder.spent }
}

/** Returns the skills of a session by the names of the agent, with the last descriptions and texts that were seen. */
function seenSkills({ seen }: ObservedSession): ReadonlyMap<string, Skill> {
  const texts = new Map<string, { description?: string | null; instructions?: string }>()
  for (const one of seen) {
    if (one.type === 'loaded')
      texts.set(one.skill, { ...texts.get(one.skill), instructions: one.text })
    if (one.type !== 'skills') continue
    for (const { name, description } of one.skills)
      texts.set(name, { ...texts.get(name), description })
  }
  const taken = new Set<string>()
  const skills = new Map<string, Skill>()
  // A skill that has its name here unchanged keeps it: `shop:refund` next to `shop-refund` becomes `shop-refund-2`.
  const isOwn = (name: string) => Number(usableName(name) === name)
  for (const displayName of [...texts.keys()].sort((a, b) => isOwn(b) - isOwn(a))) {
    const { description, instructions = '' } = texts.get(displayName) ?? {}
    const usable = usableName(displayName)
    if (usable === undefined) continue
    let name = usable
    for (let count = 2; taken.has(name); count += 1) name = `${usable.slice(0, 60)}-${count}`
    taken.add(name)
    const skill = { name, displayName, description: description ?? NOT_SHOWN, instructions }
    skills.set(displayName, defineSkill(skill))
  }
  return skills
}

/** Returns the first entry, and the definitions of the skills, as a workspace with these skills writes them. */
async function openingEntry(observed: ObservedSession, skills: readonly Skill[]) {
  const { session, client, version, folder, seen, parent } = observed
  const log = createMemoryLog()
  const catalog = await createCatalog({ skills })
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session,
    provider: observedProvider(observed),
  })
  for (const { name } of skills) await workspace.activateSkill(name)
  await workspace.close()
  const entries = await log.read(session)
  const [first] = entries
  if (first?.event.type !== 'session.opened') throw new Error('A session begins with its opening.')
  const definitions: (readonly [ContentHash, JsonValue])[] = []
  for await (const one of referencedDefinitions(log, entries, new Set())) definitions.push(one)
  const agent = { client, ...(version !== null && { version }), ...(folder !== null && { folder }) }
  const entry: Entry = {
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
