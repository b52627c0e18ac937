import type { ToolSet } from 'ai'
import type { Verdict, Tool, ToolStatus, WorkspaceState } from '../../../entries/index.ts'
import { activeSkills } from '../../../entries/kit.ts'
import type { CarnetProject } from './carnet-project.ts'
import type { DomainToolSet } from './tool-registry.ts'

/** The sources of the tools of one `getTools`. */
export interface ToolOffer {
  /** Registered tools of the loaded toolsets. */
  readonly registered: DomainToolSet
  readonly given: DomainToolSet
  /** The only names that may be returned; null for all. */
  readonly only: ReadonlySet<string> | null
  /** Meta-tools. Their names take precedence. */
  readonly meta: ToolSet
}

/**
 * Selects the tools of an offer: the meta-tools, then the host's tools of loaded skills, in the
 * order the skills were loaded, so that a later skill does not change what comes before its tools.
 * If both records have a name, the given tool is used.
 *
 * It is called at every step with every tool of a host, so it reads only those that it returns.
 */
export function selectTools(
  { tools }: Exposure,
  { registered, given, only, meta }: ToolOffer,
): ToolSet {
  const selected: ToolSet = { ...meta }
  for (const name of tools) {
    if (only !== null && !only.has(name)) continue
    const tool = own(given, name) ?? own(registered, name)
    if (tool === undefined) continue
    // Plain assignment to `__proto__` would change the object instead of adding a tool.
    if (name !== '__proto__') selected[name] = tool
    else Object.defineProperty(selected, name, { ...OWN, value: tool })
  }
  return Object.assign(selected, meta)
}

/** Looks a name up; only the names that every object has need a second look-up. */
function own(record: DomainToolSet, name: string): DomainToolSet[string] | undefined {
  const tool = record[name]
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : tool
}

const OWN = { enumerable: true, configurable: true, writable: true }

/** The loaded skills of a state and what they bring, under the names of the manifest. */
export interface Exposure {
  readonly state: WorkspaceState
  readonly skills: readonly string[]
  /** In the order they were loaded. */
  readonly toolsets: ReadonlySet<string>
  readonly tools: ReadonlySet<string>
}

/** Returns Carnet's view of a state. `available` are the available tools of the tool table. */
export function exposureOf(
  state: WorkspaceState,
  available: readonly Tool[],
  { manifest, names }: CarnetProject,
): Exposure {
  const skills = activeSkills(state).map((id) => names.skills.nameOf(id))
  return {
    state,
    skills,
    toolsets: new Set(skills.flatMap((key) => manifest.skills[key]?.toolsets ?? [])),
    tools: new Set(available.map(({ name }) => names.tools.nameOf(name))),
  }
}

/** The input of a report of `getTools`, kept until the report is requested. */
export interface ToolSelection {
  readonly exposure: Exposure
  readonly offer: ToolOffer
}

/** Reports which tools of a host were returned, and why each of the others was not. */
export function filteringReport(
  { exposure, offer }: ToolSelection,
  project: CarnetProject,
  explain: (tool: string) => Verdict<ToolStatus>,
): ToolFilteringDiagnostics {
  const registered = project.registry
    .listToolsets()
    .flatMap((toolset) => Object.keys(project.registry.getTools(toolset) ?? {}))
  const provided = [...new Set([...Object.keys(offer.given), ...registered])]
  const isMeta = (name: string) => Object.hasOwn(offer.meta, name)
  const isChosen = (name: string) => offer.only === null || offer.only.has(name)
  const isReturned = (name: string) => exposure.tools.has(name) && !isMeta(name) && isChosen(name)
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
    exposedTools: provided.filter(isReturned),
    filteredOutTools: provided.filter((name) => !isReturned(name)),
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

/** Reports which tools the last `getTools` returned. */
export interface ToolFilteringDiagnostics {
  /** Contains only tools that were provided. */
  exposedTools: string[]
  filteredOutTools: string[]
  /** The names given to `getTools`, and the names of registered tools. */
  providedTools: string[]
  reason: string
  /**
   * The reason for each tool that was provided or that a loaded skill would bring. It is not
   * enumerable, so that the object still equals what tests of the published package expect.
   */
  readonly reasons: Readonly<Record<string, string>>
}
