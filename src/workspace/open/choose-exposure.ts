import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { modelInvocableSkills } from '../../engine/standing/assess-skill.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { EXPOSURES, type ExposureStrategy } from '../offer/exposure/exposure-strategy.ts'
import {
  type ChosenExposure,
  chooseStrategy,
  type SkillTools,
} from '../offer/exposure/plan-exposure.ts'
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
  const loadable = modelInvocableSkills(context.agent, context.catalog)
  const skills = skillTools([loadable], '', () => counted(loadable, context))
  const outlook = {
    provider,
    ...ownTools(options, context, loadable.length, componentTools, provider.tools),
  }
  const chosen = chooseStrategy({ given, why, outlook, skills })
  if (given !== 'auto') return chosen
  // A session offers `call_tool` from its opening on, or never.
  const bridge =
    outlook.bridge && (options.metaTools !== undefined || chosen.strategy.bridges === true)
  const basis = { given, why, outlook: { ...outlook, bridge }, skills }
  return chooseStrategy(basis, { ...basis.outlook, carries: [] })
}

/** Counts the tools of a session that no skill brings. */
function ownTools(
  { metaTools, scripts, discovery: given, tools = [] }: WorkspaceOptions,
  { catalog, agent }: EngineContext,
  loadable: number,
  componentTools: number,
  most = Infinity,
) {
  const discovery = discoveryOf(given, agent)
  const offered: readonly string[] =
    metaTools ??
    defaultMetaTools(loadable, { searches: discovery !== null, runs: scripts !== undefined })
  const search = discovery !== null || offered.includes('tool_search')
  const initialTools = offered.length + catalog.globalTools.length + tools.length + componentTools
  const mayBridge = search || initialTools > most
  return {
    initialTools,
    pinnedTools: offered.length + (search ? componentTools : 0),
    search,
    bridge: mayBridge && (metaTools === undefined || offered.includes('call_tool')),
  }
}

/** Cached by the list of skills an agent may load, which sessions share: the catalog is walked once. */
const skillTools = identityMemo<SkillTools>()

/** Counts the tools of the skills of a session once, when that is asked. No definition is made for it. */
function counted(loadable: readonly string[], { agent, catalog }: EngineContext): SkillTools {
  let counts: ReturnType<SkillTools['count']> | undefined
  return { count: () => (counts ??= countTools(loadable, agent, catalog)) }
}

function countTools(
  loadable: readonly string[],
  agent: Agent | null,
  { bringers }: Catalog,
): ReturnType<SkillTools['count']> {
  const initial = new Set(agent?.initialSkills)
  const later = new Set(loadable.filter((name) => !initial.has(name)))
  let [initialTools, laterTools] = [0, 0]
  for (const skills of bringers.values()) {
    for (const name of skills) {
      if (initial.has(name)) initialTools += 1
      else if (later.has(name)) laterTools += 1
    }
  }
  return { initialTools, laterTools, loadableSkills: later.size }
}

/** Returns the facts of a provider. Throws `PROVIDER_UNKNOWN`. */
export function providerFacts(provider: GivenProvider = 'compatible'): ProviderFacts {
  if (typeof provider !== 'string') return provider
  const [name = '', ...model] = provider.split('/')
  if (Object.hasOwn(PROVIDER_FACTS, name)) {
    return factsOfModel(name as ProviderName, model.join('/'))
  }
  throw unknown('PROVIDER_UNKNOWN', 'provider', name, Object.keys(PROVIDER_FACTS))
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
  // Forms of tools and names call Google's API by the name of its models.
  const [nearest] = name === 'gemini' ? ['google'] : nearestNames(String(name), known, 1)
  const start = nearest === undefined ? '' : `Did you mean "${nearest}"? `
  return new WorkspaceError(code, `No ${what} is named "${name}".`, {
    facts: { [what]: name, known },
    hint: `${start}Known: ${known.join(', ')}. Or give your own as an object.`,
  })
}
