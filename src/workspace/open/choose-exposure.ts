import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { modelInvocableSkills } from '../../engine/standing/assess-skill.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { EXPOSURES, type ExposureStrategy } from '../offer/exposure/exposure-strategy.ts'
import { type ChosenExposure, chooseStrategy } from '../offer/exposure/plan-exposure.ts'
import {
  factsOfModel,
  type GivenProvider,
  PROVIDER_FACTS,
  type ProviderFacts,
  type ProviderName,
} from '../offer/exposure/provider-facts.ts'
import { defaultMetaTools } from '../offer/meta-tools/meta-tool-name.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/**
 * Chooses a session's strategy: the given one, or the planner's choice for its provider. Without both, the
 * available tools are sent.
 *
 * Until a step says what its adapter carries, it is that for a host that sends what every request can carry.
 */
export function chooseExposure(
  options: WorkspaceOptions,
  context: EngineContext,
  componentTools: number,
): ChosenExposure {
  const provider = providerFacts(options.provider)
  const { exposure = options.provider === undefined ? 'active' : 'auto' } = options
  const why =
    options.exposure === undefined
      ? 'The host named neither a strategy nor a provider.'
      : typeof exposure === 'string'
        ? 'The host chose this strategy.'
        : 'The host gave this strategy.'
  const given: ExposureStrategy | 'auto' = strategyOf(exposure) ?? 'auto'
  const outlook = { provider, ...expectedTools(options, context, componentTools) }
  const chosen = chooseStrategy({ given, why, outlook })
  if (given !== 'auto') return chosen
  // A session offers `call_tool` from its opening on, or never.
  const bridge =
    outlook.bridge && (options.metaTools !== undefined || chosen.strategy.bridges === true)
  const basis = { given, why, outlook: { ...outlook, bridge } }
  return chooseStrategy(basis, { ...basis.outlook, carries: [] })
}

/** Counts the tools that may be sent. No definition is read, so a large catalog costs no time. */
function expectedTools(
  options: WorkspaceOptions,
  { catalog, agent }: EngineContext,
  componentTools: number,
) {
  const { metaTools, scripts, tools = [] } = options
  const loadable = modelInvocableSkills(agent, catalog)
  const counted = countCache([loadable], '', () => countTools(loadable, agent, catalog))
  const discovery = discoveryOf(options.discovery, agent)
  const offered: readonly string[] =
    metaTools ??
    defaultMetaTools(loadable.length, { searches: discovery !== null, runs: scripts !== undefined })
  const search = discovery !== null || offered.includes('tool_search')
  return {
    initialTools:
      offered.length + catalog.globalTools.length + tools.length + componentTools + counted.initial,
    pinnedTools: offered.length + (search ? componentTools : 0),
    laterTools: counted.later,
    loadableSkills: counted.skills,
    search,
    bridge: search && (metaTools === undefined || offered.includes('call_tool')),
  }
}

/** Cached by the list of skills an agent may load, which sessions share: the catalog is walked once. */
const countCache = identityMemo<ReturnType<typeof countTools>>()

function countTools(loadable: readonly string[], agent: Agent | null, { skillTools }: Catalog) {
  const initial = new Set(agent?.initialSkills)
  const later = loadable.filter((name) => !initial.has(name))
  const toolsOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (skillTools.get(name)?.length ?? 0), 0)
  return { initial: toolsOf(initial), later: toolsOf(later), skills: later.length }
}

/** Returns the facts of a provider. Throws `PROVIDER_UNKNOWN`. */
export function providerFacts(provider: GivenProvider = 'compatible'): ProviderFacts {
  if (typeof provider !== 'string') return provider
  const [name = '', ...model] = provider.split('/')
  if (isProviderName(name)) return factsOfModel(name, model.join('/'))
  throw unknown('PROVIDER_UNKNOWN', 'provider', name, Object.keys(PROVIDER_FACTS))
}

function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDER_FACTS, name)
}

/** Returns a strategy; null for `auto`. Throws `EXPOSURE_UNKNOWN`. */
export function strategyOf(
  exposure: NonNullable<WorkspaceOptions['exposure']>,
): ExposureStrategy | null {
  if (typeof exposure !== 'string') return exposure
  if (exposure === 'auto') return null
  if (Object.hasOwn(EXPOSURES, exposure)) return EXPOSURES[exposure]
  throw unknown('EXPOSURE_UNKNOWN', 'exposure', exposure, ['auto', ...Object.keys(EXPOSURES)])
}

function unknown(code: string, what: string, name: string, known: readonly string[]) {
  const [nearest] = nearestNames(String(name), known, 1)
  const start = nearest === undefined ? '' : `Did you mean "${nearest}"? `
  return new WorkspaceError(code, `No ${what} is named "${name}".`, {
    facts: { [what]: name, known },
    hint: `${start}Known: ${known.join(', ')}. Or give your own as an object.`,
  })
}
