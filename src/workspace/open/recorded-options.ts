import { catalogFromListing, readListing } from '../../catalog/catalog-from-listing.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { sameItems } from '../../kernel/identity-memo.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import {
  type AgentDefinition,
  agentDefinition,
  defineAgent,
} from '../../skills/definition/define-agent.ts'
import type { RecordedSetup } from '../log/definition-registry.ts'
import type { EventLog } from '../log/event-log.ts'
import { type ExposureName, EXPOSURES } from '../offer/exposure/exposure-strategy.ts'
import {
  factsOfFamily,
  isKnownProvider,
  type ProviderFacts,
  type ProviderName,
} from '../offer/exposure/provider-facts.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { providerFacts } from './choose-exposure.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/**
 * The options of a host that shape what the model reads, as a log stores them. Their hash is in the entries,
 * and sessions with the same options share them.
 */
interface SessionSetup {
  readonly agent: AgentDefinition | null
  /** The hashes of the agent's initial skills, which the model reads whether they are active or not. */
  readonly initialSkills: readonly ContentHash[]
  readonly exposure: string
  /** The strategy calls tools through a meta-tool. */
  readonly bridges?: true
  readonly provider: ProviderName | ProviderFacts
  /** As the host gave them, without its own search; null for a session whose host gave none. */
  readonly discovery: Omit<NonNullable<WorkspaceOptions['discovery']>, 'search'> | null
  /** Absent when the host gave none. */
  readonly catalogBudget?: number
}

/**
 * Adds the options and the catalog of a session to its definitions, so that they are stored together with
 * the entry that names them. Returns the hash of the options.
 */
export function noteSetup(
  options: WorkspaceOptions,
  parts: SessionParts,
  catalog: Catalog = parts.context.catalog,
): ContentHash {
  const setup = sharedSetup(options, parts, catalog)
  parts.definitions.noteSetup(setup)
  return setup.hash
}

/** The last options with each agent, or with each catalog where there is none. */
const lastSetups = new WeakMap<object, RecordedSetup & { readonly key: readonly unknown[] }>()

/**
 * Returns the options in their stored form. Sessions with equal options share them: an agent may name ten
 * thousand skills.
 */
function sharedSetup(
  options: WorkspaceOptions,
  { context: { agent }, exposure: { strategy, provider } }: SessionParts,
  catalog: Catalog,
): RecordedSetup {
  const { catalogBudget } = options
  const { search: _, ...given } = options.discovery ?? {}
  const discovery = options.discovery === undefined ? null : given
  const key = [catalog, strategy, provider, JSON.stringify(discovery), catalogBudget]
  const last = lastSetups.get(agent ?? catalog)
  if (last && sameItems(last.key, key)) return last
  const initialSkills = (agent?.initialSkills ?? []).flatMap((one) => catalog.skills.get(one) ?? [])
  const setup: SessionSetup = {
    agent: agent && agentDefinition(agent),
    initialSkills: initialSkills.map((skill) => skill.hash),
    exposure: strategy.name,
    ...(strategy.bridges === true && { bridges: true }),
    provider: isKnownProvider(provider) && provider.family === undefined ? provider.name : provider,
    discovery,
    ...(catalogBudget !== undefined && { catalogBudget }),
  }
  const stored = JSON.parse(JSON.stringify(setup)) as JsonValue
  const made = { key, hash: contentHash(stored), options: stored, catalog, initialSkills }
  lastSetups.set(agent ?? catalog, made)
  return made
}

/** The options to look at a session as its host has it. */
export type RecordedOptions = Pick<
  WorkspaceOptions,
  'catalog' | 'agent' | 'exposure' | 'provider' | 'discovery' | 'catalogBudget'
>

/**
 * Reads from a log the catalog and the options with which a session shows its model what it shows. Open the
 * session read-only with them, and lists, explanations and the prompt are those of its host.
 *
 * The strategy is that of the last step: the adapter of the host may not have been able to send the planned one.
 *
 * Definitions of `known` replace the listed ones with the same hash, with their texts, schemas and panels. Returns
 * null for a session that was recorded without a listing.
 *
 * @param entries the entries of the session, up to the moment to look at
 */
export async function recordedOptions(
  { definitions }: Pick<EventLog, 'definitions'>,
  entries: readonly Entry[],
  known?: Catalog,
): Promise<RecordedOptions | null> {
  const taken = entries.findLast(({ event }) => namesSetup(event))?.event
  if (taken === undefined || !namesSetup(taken)) return null
  const isKnown = known?.hash === taken.catalog
  const stored = await definitions.get(isKnown ? [taken.setup] : [taken.setup, taken.catalog])
  const found = stored.get(taken.setup)
  if (!isObject(found) || !('exposure' in found)) return null
  const setup = found as unknown as SessionSetup
  const agent = setup.agent && defineAgent(setup.agent)
  const options = {
    ...(agent && { agent }),
    ...sentWith(setup, entries),
    ...(setup.discovery && { discovery: setup.discovery }),
    ...(setup.catalogBudget !== undefined && { catalogBudget: setup.catalogBudget }),
  }
  if (isKnown) return { ...options, catalog: known }
  const listing = readListing(stored.get(taken.catalog))
  if (listing === null) return null
  const skills = new Map([...(known?.skills.values() ?? [])].map((one) => [one.hash, one]))
  const catalog = catalogFromListing(listing, {
    skill: (hash) => skills.get(hash),
    tool: (hash) => known?.toolsByHash.get(hash),
    components: known?.components.values() ?? [],
    agents: agent ? [agent] : [],
  })
  return { ...options, catalog }
}

/** Returns true for an entry with the catalog and the options of the host. */
function namesSetup(
  event: Entry['event'],
): event is Entry['event'] & { readonly catalog: ContentHash; readonly setup: ContentHash } {
  return (
    event.type === 'catalog.taken' || (event.type === 'session.opened' && event.setup !== undefined)
  )
}

/** Returns the strategy of the last step, with the facts of its model. */
function sentWith(
  { exposure, bridges, provider }: SessionSetup,
  entries: readonly Entry[],
): Required<Pick<RecordedOptions, 'exposure' | 'provider'>> {
  const step = entries.findLast(({ event }) => event.type === 'step.begun')?.event
  const { strategy: last = exposure, cost } = step?.type === 'step.begun' ? step : {}
  const facts =
    cost?.family === undefined ? provider : factsOfFamily(providerFacts(provider), cost.family)
  const known = [last, exposure].find((name) => Object.hasOwn(EXPOSURES, name))
  if (known !== undefined) return { exposure: known as ExposureName, provider: facts }
  // A host's own strategy is code: its name and its form are known, and it plans nothing here.
  const own = { ...EXPOSURES.active, name: exposure, ...(bridges && { bridges }) }
  return { exposure: own, provider: facts }
}
