import type { Explanation } from '../../../engine/explain/explain-tool.ts'
import type { ToolStatus } from '../../../engine/standing/status.ts'
import type { CarnetProject } from './carnet-project.ts'
import type { Exposure } from './exposure.ts'
import type { ToolFilteringDiagnostics } from './tool-filtering.ts'
import type { ToolOffer } from './tool-selection.ts'

/** What the report of a `getTools` is made from, kept until somebody asks for it. */
export interface FilteredTools {
  readonly exposure: Exposure
  readonly offer: ToolOffer
}

/** Which of the tools of a host came out, and why each of the others did not. */
export function filteringReport(
  { exposure, offer }: FilteredTools,
  project: CarnetProject,
  explain: (tool: string) => Explanation<ToolStatus>,
): ToolFilteringDiagnostics {
  const registered = project.registry
    .listToolsets()
    .flatMap((toolset) => Object.keys(project.registry.getTools(toolset) ?? {}))
  const provided = [...new Set([...Object.keys(offer.given), ...registered])]
  const isMeta = (name: string) => Object.hasOwn(offer.meta, name)
  const isChosen = (name: string) => offer.only === null || offer.only.has(name)
  const comesOut = (name: string) => exposure.tools.has(name) && !isMeta(name) && isChosen(name)
  const reasons: Record<string, string> = Object.create(null)
  for (const name of new Set([...provided, ...exposure.tools, ...(offer.only ?? [])])) {
    if (isMeta(name)) reasons[name] = 'It is the name of a meta-tool.'
    else if (!exposure.tools.has(name)) reasons[name] = whyNot(name)
    else if (!provided.includes(name))
      reasons[name] = 'A loaded skill brings it, and it was not provided.'
    else if (!isChosen(name)) reasons[name] = 'It is not among the names given to getTools.'
    else reasons[name] = 'It is exposed: a loaded skill brings it.'
  }
  const report = {
    exposedTools: provided.filter(comesOut),
    filteredOutTools: provided.filter((name) => !comesOut(name)),
    providedTools: provided,
    reason: provided.length === 0 ? NOTHING_PROVIDED : BY_SKILLS,
  }
  return Object.defineProperty(report, 'reasons', {
    value: Object.freeze(reasons),
  }) as ToolFilteringDiagnostics

  function whyNot(name: string): string {
    const bringers = project.catalog.bringers.get(project.names.tools.idOf(name))
    if (bringers === undefined) return 'No toolset of the manifest that a skill has lists it.'
    const { because, fix } = explain(project.names.tools.idOf(name))
    const why = [...because.map(({ text }) => text), fix].filter((text) => text !== '')
    return why.length === 0 ? 'It comes with the next getTools.' : why.join(' ')
  }
}

const BY_SKILLS = 'Tools filtered based on currently loaded skills and toolsets'
const NOTHING_PROVIDED = 'No tools provided or filtering not yet performed'
