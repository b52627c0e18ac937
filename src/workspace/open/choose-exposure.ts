import type { Catalog } from '../../catalog/create/catalog.ts'
import { permittedSkills } from '../../engine/standing/permitted-skills.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { EXPOSURES, type ExposureName } from '../offer/exposure/exposure-name.ts'
import { planExposure, type ExposurePrice } from '../offer/exposure/plan-exposure.ts'
import {
  PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from '../offer/exposure/provider-facts.ts'
import { defaultMetaTools } from '../offer/meta-tools/meta-tool-name.ts'
import type { ExposureStrategy } from '../log/ports.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** How the tools of a session reach its model, and why so. */
export interface ChosenExposure {
  readonly strategy: ExposureStrategy
  readonly provider: ProviderFacts
  /** For people. */
  readonly why: string
  /** What the planner compared; empty when the host chose. */
  readonly prices: readonly ExposurePrice[]
}

/**
 * Settle a session's strategy: the one it was given, or the planner's for its provider. Without
 * either, what is available is sent as it is.
 */
export function chooseExposure(
  options: WorkspaceOptions,
  surroundings: Surroundings,
  componentTools: number,
): ChosenExposure {
  const provider = factsOf(options.provider)
  const { exposure = options.provider === undefined ? 'active' : 'auto' } = options
  if (typeof exposure !== 'string') {
    return { strategy: exposure, provider, why: 'The host gave this strategy.', prices: [] }
  }
  if (exposure !== 'auto') {
    const strategy = strategyNamed(exposure)
    const why =
      options.exposure === undefined
        ? 'The host named neither a strategy nor a provider.'
        : 'The host chose this strategy.'
    return { strategy, provider, why, prices: [] }
  }
  const { strategy, why, prices } = planExposure({
    provider,
    ...expectedTools(options, surroundings, componentTools),
  })
  return { strategy: EXPOSURES[strategy], provider, why, prices }
}

/** What may come, counted: nothing here reads a definition, so a large catalog costs no time. */
function expectedTools(
  options: WorkspaceOptions,
  { catalog, agent }: Surroundings,
  componentTools: number,
) {
  const { metaTools, tools = [] } = options
  const loadable = permittedSkills(agent, catalog)
  const counted = counts([loadable], '', () => countTools(loadable, agent, catalog))
  const discovery = discoveryOf(options.discovery, agent)
  const offered: readonly string[] =
    metaTools ?? defaultMetaTools(loadable.length, { searches: discovery !== null })
  const search = discovery !== null || offered.includes('tool_search')
  return {
    initialTools:
      offered.length + catalog.globalTools.length + tools.length + componentTools + counted.initial,
    pinnedTools: offered.length,
    laterTools: counted.later,
    loadableSkills: counted.skills,
    search,
    bridge: search && (metaTools === undefined || offered.includes('call_tool')),
  }
}

/** Kept by the list of what an agent may load, which sessions share: the catalog is walked once. */
const counts = identityMemo<ReturnType<typeof countTools>>()

function countTools(loadable: readonly string[], agent: Agent | null, { skillTools }: Catalog) {
  const initial = new Set(agent?.initialSkills)
  const later = loadable.filter((name) => !initial.has(name))
  const toolsOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (skillTools.get(name)?.length ?? 0), 0)
  return { initial: toolsOf(initial), later: toolsOf(later), skills: later.length }
}

function factsOf(provider: ProviderName | ProviderFacts = 'compatible'): ProviderFacts {
  if (typeof provider !== 'string') return provider
  if (Object.hasOwn(PROVIDERS, provider)) return PROVIDERS[provider]
  throw unknown('PROVIDER_UNKNOWN', 'provider', provider, Object.keys(PROVIDERS))
}

function strategyNamed(name: ExposureName): ExposureStrategy {
  if (Object.hasOwn(EXPOSURES, name)) return EXPOSURES[name]
  throw unknown('EXPOSURE_UNKNOWN', 'exposure', name, ['auto', ...Object.keys(EXPOSURES)])
}

function unknown(code: string, what: string, name: string, known: readonly string[]) {
  return new WorkspaceError(code, `No ${what} is named "${name}".`, {
    facts: { [what]: name, known },
    hint: `Known are ${known.join(', ')}; or give one of your own as an object.`,
  })
}
